import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { firstRevision, withCard } from '../testing/revisions';
import { CatalogUnavailable } from './pricing.errors';
import { compileRevision, verifyRevision, type Revision } from './revision';

type Node = Record<string | number, unknown>;

/** A revision with a changed statement and a matching hash. */
function withStatement(change: (statement: Node) => void): Revision {
  const revision = firstRevision();
  const statement = JSON.parse(revision.body.toString()) as Node;
  change(statement);
  return withBytes(JSON.stringify(statement));
}

function withBytes(text: string): Revision {
  const body = Buffer.from(text);
  return { ...firstRevision(), body, sha256: createHash('sha256').update(body).digest() };
}

const NEXT = '2027-01-01T00:00:00Z';

/** A revision that announces a card that differs in its source. */
function announcing(otherwise: Parameters<typeof withCard>[1]): Revision {
  return { ...compileRevision(withCard(NEXT), firstRevision()), source: withCard(NEXT, otherwise) };
}

/** The paths of all fields, including fields of list elements. */
function fieldsIn(node: unknown, place: readonly (string | number)[] = []): (readonly (string | number)[])[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, value]) => {
    const here = [...place, Array.isArray(node) ? Number(key) : key];
    return [...(Array.isArray(node) ? [] : [here]), ...fieldsIn(value, here)];
  });
}

const FIELDS = fieldsIn(JSON.parse(firstRevision().body.toString()));

describe('verifyRevision', () => {
  it('accepts a compiled revision', () => {
    const { version, statement, catalog, body } = verifyRevision(firstRevision());
    expect([version, statement.version, catalog.cards.length]).toEqual(['2026-10-01', '2026-10-01', 1]);
    expect(JSON.parse(body.toString())).toEqual(statement);
  });

  it.each(FIELDS.map((place) => [place.join('.'), place] as const))(
    'rejects a statement without %s',
    (_name, place) => {
      const revision = withStatement((statement) => {
        const parent = place.slice(0, -1).reduce<Node>((node, key) => node[key] as Node, statement);
        Reflect.deleteProperty(parent, place.at(-1) as string);
      });
      expect(() => verifyRevision(revision)).toThrow(CatalogUnavailable);
    },
  );

  it.each<[string, Revision]>([
    ['bytes that do not match the hash', { ...firstRevision(), body: Buffer.from('{}') }],
    ['another hash', { ...firstRevision(), sha256: Buffer.alloc(32) }],
    ['truncated bytes', withBytes(firstRevision().body.toString().slice(0, 1_000))],
    ['no bytes', withBytes('')],
    ['null', withBytes('null')],
    ['the version of another statement', { ...firstRevision(), version: '2026-10-02' }],
    ['a price that differs from the catalog', withStatement((all) => ((all['usage'] as Node)['includedUsd'] = 11))],
    [
      'another price of a legacy plan',
      withStatement((all) => (((all['plans'] as Node[])[0] as Node)['monthlyUsd'] = 1)),
    ],
    [
      'another price of an add-on',
      withStatement((all) => ((all['addOns'] as { outpost: Node }).outpost['monthlyUsd'] = 1)),
    ],
    ['a card that is not in the catalog', withStatement((all) => ((all['usage'] as Node)['version'] = '2026-10-02'))],
    ['an incomplete source', { ...firstRevision(), source: { ...firstRevision().source, legacy: {} } }],
    ['a source without cards', { ...firstRevision(), source: { ...firstRevision().source, usage: {} } }],
    ['an announced price that differs from the catalog', announcing({ includedUsd: '13' })],
    ['an announced card that is not in the catalog', { ...announcing({}), source: firstRevision().source }],
    ['a catalog with a card that is not announced', { ...firstRevision(), source: withCard(NEXT) }],
  ])('rejects %s', (_what, revision) => {
    expect(() => verifyRevision(revision)).toThrow(CatalogUnavailable);
  });
});
