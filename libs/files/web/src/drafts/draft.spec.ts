import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { resolveDraft, newestFirst } from './draft';

describe('resolveDraft', () => {
  it.each([
    ['the file says the same by now', { text: 'a', base: '"1"' }, { etag: '"2"', exact: 'a' }, 'drop'],
    ['the file is the one it began from', { text: 'b', base: '"1"' }, { etag: '"1"', exact: 'a' }, 'restore'],
    ['somebody has saved since', { text: 'b', base: '"1"' }, { etag: '"2"', exact: 'c' }, 'conflict'],
    ['the file is gone', { text: 'b', base: '"1"' }, undefined, 'conflict'],
    ['there was no file and is none', { text: 'b' }, undefined, 'restore'],
    ['somebody made a file of that name', { text: 'b' }, { etag: '"1"', exact: 'c' }, 'conflict'],
    ['an emptied file is no absent one', { text: '', base: '"1"' }, undefined, 'conflict'],
  ] as const)('%s', (_words, draft, file, fate) => {
    expect(resolveDraft(draft, file)).toBe(fate);
  });

  it('drops a draft only when the file holds its text', () => {
    const file = fc.option(fc.record({ etag: fc.string(), exact: fc.string() }), { nil: undefined });
    const draft = fc.record({ text: fc.string(), base: fc.string() });
    fc.assert(
      fc.property(draft, file, (each, current) => {
        expect(resolveDraft(each, current) === 'drop').toBe(current?.exact === each.text);
      }),
    );
  });
});

it('puts the newest draft first', () => {
  expect(newestFirst([{ writtenAt: 1 }, { writtenAt: 3 }, { writtenAt: 2 }]).map((each) => each.writtenAt)).toEqual([
    3, 2, 1,
  ]);
});
