import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { resolveDraft, newestFirst } from './draft';

describe('resolveDraft', () => {
  it.each([
    ['the file has the text of the draft', { text: 'a', base: '"1"' }, { etag: '"2"', exact: 'a' }, 'drop'],
    ['the file is unchanged since the draft began', { text: 'b', base: '"1"' }, { etag: '"1"', exact: 'a' }, 'restore'],
    ['the file was saved since', { text: 'b', base: '"1"' }, { etag: '"2"', exact: 'c' }, 'conflict'],
    ['the file was deleted', { text: 'b', base: '"1"' }, undefined, 'conflict'],
    ['the file never existed', { text: 'b' }, undefined, 'restore'],
    ['a file with that name was created', { text: 'b' }, { etag: '"1"', exact: 'c' }, 'conflict'],
    ['an empty draft of a deleted file', { text: '', base: '"1"' }, undefined, 'conflict'],
  ] as const)('%s', (_words, draft, file, resolution) => {
    expect(resolveDraft(draft, file)).toBe(resolution);
  });

  it('drops a draft only when the file has its text', () => {
    const file = fc.option(fc.record({ etag: fc.string(), exact: fc.string() }), { nil: undefined });
    const draft = fc.record({ text: fc.string(), base: fc.string() });
    fc.assert(
      fc.property(draft, file, (each, current) => {
        expect(resolveDraft(each, current) === 'drop').toBe(current?.exact === each.text);
      }),
    );
  });
});

it('sorts the newest draft first', () => {
  expect(newestFirst([{ writtenAt: 1 }, { writtenAt: 3 }, { writtenAt: 2 }]).map((each) => each.writtenAt)).toEqual([
    3, 2, 1,
  ]);
});
