import { describe, expect, it } from '@jest/globals';
import { findPerson, IDENTITY_PROVIDERS, PEOPLE, peopleOf } from './people.ts';

describe('people', () => {
  it('have unique subjects across all providers', () => {
    expect(new Set(PEOPLE.map(({ sub }) => sub)).size).toBe(PEOPLE.length);
    for (const person of PEOPLE) {
      expect(person.sub).toBe(`${person.provider}|${person.id}`);
      expect(findPerson(person.sub)).toBe(person);
    }
  });

  it('include several per provider, two organizations, and one person without an organization', () => {
    for (const { id } of IDENTITY_PROVIDERS) expect(peopleOf(id).length).toBeGreaterThan(1);
    expect(new Set(PEOPLE.map(({ organization }) => organization))).toEqual(
      new Set(['org_northwind', 'org_globex', undefined]),
    );
  });
});
