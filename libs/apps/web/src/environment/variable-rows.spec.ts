// Outside a build, Angular's published code needs the compiler at run time.
import '@angular/compiler';
import { describe, expect, it } from '@jest/globals';
import { emptyRow, faultOf, insertEntries, isEmptyRow, type VariableRow } from './variable-rows';

const row = (name: string, more: Partial<VariableRow> = {}): VariableRow => ({ ...emptyRow(), name, ...more });

describe('faultOf', () => {
  it.each([
    ['DATABASE_URL', undefined],
    ['_A1', undefined],
    ['PORTS', undefined],
    ['', /Enter a name/],
    ['lower', /A to Z/],
    ['1A', /A to Z/],
    ['A'.repeat(129), /A to Z/],
    ['PORT', /itself/],
    ['HOMEPORT_X', /itself/],
    ['LD_PRELOAD', /itself/],
  ])('checks the name %j', (name, words) => {
    const one = row(name, { value: 'x' });
    expect(faultOf(one, [one], [])).toEqual(words && { field: 'name', words: expect.stringMatching(words) });
  });

  it('finds the second of two equal names', () => {
    const rows = [row('A'), row('A')] as const;
    expect(rows.map((each) => faultOf(each, rows, [])?.words)).toEqual([undefined, expect.stringMatching(/above/)]);
  });

  it('counts existing names once', () => {
    const existing = Array.from({ length: 63 }, (_, index) => ({ name: `V${index}` }));
    const rows = [row('V1'), row('NEW'), row('MORE')] as const;
    expect(rows.map((each) => faultOf(each, rows, existing)?.words)).toEqual([
      undefined,
      undefined,
      'An app can have 64 variables.',
    ]);
  });

  it('shows what the server refused', () => {
    const refusal = { field: 'value', words: 'Too large.' } as const;
    const one = row('A', { refusal });
    expect(faultOf(one, [one], [])).toBe(refusal);
  });
});

describe('insertEntries', () => {
  const entries = [
    { name: 'A', value: '1' },
    { name: 'B', value: '2' },
  ];
  const texts = (rows: readonly VariableRow[]) => rows.map(({ name, value, scope }) => `${name}=${value} ${scope}`);

  it('replaces the empty row, with its scope', () => {
    const at = row('', { scope: 'preview' });
    expect(texts(insertEntries([at], at, entries))).toEqual(['A=1 preview', 'B=2 preview']);
  });

  it('keeps other rows, unless they are empty or have one of the names', () => {
    const [first, at] = [row('C', { value: '3' }), row('D', { value: '4' })];
    const rows = insertEntries([first, at, row('B', { value: '9' }), emptyRow()], at, entries);
    expect(texts(rows)).toEqual(['C=3 all', 'D=4 all', 'A=1 all', 'B=2 all']);
    expect(rows.some(isEmptyRow)).toBe(false);
  });
});
