import { describe, expect, it } from '@jest/globals';
import { findPerson, IDENTITY_PROVIDERS, PEOPLE, peopleOf } from './people.ts';

describe('people', () => {
  it('are told apart by their subject, whatever provider they use', () => {
    expect(new Set(PEOPLE.map(({ sub }) => sub)).size).toBe(PEOPLE.length);
    for (const person of PEOPLE) {
      expect(person.sub).toBe(`${person.provider}|${person.id}`);
      expect(findPerson(person.sub)).toBe(person);
    }
  });

  it('are several for every provider, of two organizations, and one of none', () => {
    for (const { id } of IDENTITY_PROVIDERS) expect(peopleOf(id).length).toBeGreaterThan(1);
    expect(new Set(PEOPLE.map(({ organization }) => organization))).toEqual(
      new Set(['org_northwind', 'org_globex', undefined]),
    );
  });
});
