import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { shippedCatalog } from '../testing/shipped-catalog';
import { breakingChanges, type Shape, shapeOf } from './compatibility';
import { compileRevision } from './revision';
import { statementSchema } from './statement-schema';

type Node = Record<string, unknown>;

const PUBLISHED = fileURLToPath(new URL('../../../catalog/published/', import.meta.url));
const read = (file: string): Node => JSON.parse(readFileSync(`${PUBLISHED}${file}`, 'utf8')) as Node;
const versions = globSync('*.statement.json', { cwd: PUBLISHED }).map((file) => file.replace('.statement.json', ''));
const today = (): Node => structuredClone(statementSchema()) as Node;
const statementOfToday = (): Node => {
  const edition = { version: '2026-10-01', effectiveAt: new Date('2026-10-01T00:00:00Z'), pricesFrom: null };
  return JSON.parse(compileRevision(shippedCatalog(), edition).body.toString()) as Node;
};
const validator = (schema: Node) => new Ajv2020({ strict: false, validateFormats: false }).compile(schema);

/** Returns the current schema with one change. @param place property names, with `[]` for list elements. */
function changed(place: string, change: (schema: Node, name: string) => void): Shape {
  const schema = today();
  const steps = place.split('.');
  const name = steps.pop() as string;
  const parent = steps.reduce((node, step) => {
    const property = (node['properties'] as Node)[step.replace('[]', '')] as Node;
    return step.endsWith('[]') ? (property['items'] as Node) : property;
  }, schema);
  change(parent, name);
  return schema;
}

const propertiesOf = (schema: Node) => schema['properties'] as Record<string, Node>;

describe('the published contract', () => {
  it('has at least one published version', () => expect(versions).toContain('2026-10-01'));

  it.each(versions)('is compatible with readers that use the schema of %s', (version) => {
    const schema = read(`${version}.schema.json`);
    expect(breakingChanges(schema, today())).toEqual([]);
    const validate = validator(schema);
    expect(validate(statementOfToday()) || validate.errors).toBe(true);
  });

  it.each(versions)(
    'is compatible with readers of the statement of %s, which matches the current schema',
    (version) => {
      const statement = read(`${version}.statement.json`);
      expect(breakingChanges(shapeOf(statement), shapeOf(statementOfToday()))).toEqual([]);
      const validate = validator(today());
      expect(validate(statement) || validate.errors).toBe(true);
    },
  );

  it('is compatible between all published versions', () => {
    for (const [n, newer] of versions.entries()) {
      for (const older of versions.slice(0, n)) {
        expect(breakingChanges(read(`${older}.schema.json`), read(`${newer}.schema.json`))).toEqual([]);
      }
    }
  });
});

describe('breakingChanges', () => {
  it.each<[string, string, (schema: Node, name: string) => void, RegExp]>([
    [
      'a removed field',
      'usage.meters',
      (at, name) => Reflect.deleteProperty(propertiesOf(at), name),
      /usage\.meters: was removed/,
    ],
    [
      'a field that becomes optional',
      'plans[].monthlyUsd',
      (at, name) => (at['required'] = (at['required'] as string[]).filter((each) => each !== name)),
      /plans\[\]\.monthlyUsd: may now be missing/,
    ],
    [
      'a number that becomes text',
      'usage.meters[].unitUsd',
      (at, name) => (propertiesOf(at)[name] = { type: 'string' }),
      /unitUsd: was number, may now be string/,
    ],
    [
      'a field that becomes nullable',
      'signup.free',
      (at, name) => (propertiesOf(at)[name] = { anyOf: [{ type: 'object' }, { type: 'null' }] }),
      /signup\.free: was object, may now be null/,
    ],
    [
      'a removed enum value',
      'usage.meters[].id',
      (at, name) => ((propertiesOf(at)[name] as Node)['enum'] = ['storage']),
      /meters\[\]\.id: no longer promises/,
    ],
    [
      'another pattern of a text',
      'version',
      (at, name) => ((propertiesOf(at)[name] as Node)['pattern'] = '^v'),
      /version: the pattern/,
    ],
    [
      'an object that becomes a list',
      'addOns',
      (at, name) => (propertiesOf(at)[name] = { type: 'array', items: propertiesOf(at)[name] }),
      /addOns: was object, may now be array/,
    ],
    ['a constant that changes', 'currency', (at, name) => (propertiesOf(at)[name] = { const: 'EUR' }), /currency: no/],
    [
      'a removed field of a rule',
      'billingRules.rounding.mode',
      (at, name) => Reflect.deleteProperty(propertiesOf(at), name),
      /rounding\.mode: was removed/,
    ],
  ])('finds %s', (_what, place, change, found) => {
    const problems = breakingChanges(today(), changed(place, change));
    expect(problems.some((problem) => found.test(problem))).toBe(true);
  });

  it('allows added fields and values', () => {
    const more = changed('usage.note', (at, name) => {
      propertiesOf(at)[name] = { type: 'string' };
      (at['required'] as string[]).push(name);
    });
    expect(breakingChanges(today(), more)).toEqual([]);
    const id = changed('usage.meters[].id', (at, name) => (propertiesOf(at)[name]?.['enum'] as string[]).push('new'));
    expect(breakingChanges(today(), id)).toEqual([]);
  });
});

describe('shapeOf', () => {
  it('makes a field optional when only some elements have it', () => {
    expect(shapeOf([{ a: 1, b: true }, { a: 2 }])).toEqual({
      type: 'array',
      items: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'boolean' } }, required: ['a'] },
    });
  });

  it('has no constraints for null and empty lists', () => {
    expect(
      breakingChanges(shapeOf({ until: null, upcoming: [] }), shapeOf({ until: 'now', upcoming: [{ a: 1 }] })),
    ).toEqual([]);
    expect(breakingChanges(shapeOf({ until: 'now' }), shapeOf({ until: null }))).not.toEqual([]);
    expect(breakingChanges(shapeOf({ upcoming: [{ a: 1 }] }), shapeOf({ upcoming: [] }))).toEqual([]);
  });
});
