import { describe, expect, it } from '@jest/globals';
import type { FileEntry } from '@homeport/files/contracts';
import fc from 'fast-check';
import { SortedFiles } from './sorted-files';

const file = (key: string, size = 1): FileEntry => ({ key, size, etag: '"e"', modified_at: '2026-11-01T00:00:00Z' });
const key = fc
  .array(fc.constantFrom('a', 'b', '/', '~', 'ü'), { minLength: 1, maxLength: 6 })
  .map((characters) => characters.join(''));

describe('SortedFiles', () => {
  it('behaves like a map for any sequence of changes', () => {
    const change = fc.oneof(
      fc.record({ put: fc.array(fc.tuple(key, fc.nat()), { maxLength: 8 }) }),
      fc.record({ take: fc.array(key, { maxLength: 8 }) }),
    );
    fc.assert(
      fc.property(fc.array(change, { maxLength: 12 }), key, (changes, prefix) => {
        const model = new Map<string, FileEntry>();
        let files = SortedFiles.empty;
        for (const each of changes) {
          if ('put' in each) {
            const entries = each.put.map(([name, size]) => file(name, size));
            for (const entry of entries) model.set(entry.key, entry);
            files = files.with(entries);
          } else {
            for (const name of each.take) model.delete(name);
            files = files.without(each.take);
          }
        }
        const under = [...model.keys()].filter((name) => name.startsWith(prefix)).sort();
        expect([...files.withPrefix(prefix)].map((entry) => entry.key)).toEqual(under);
        expect(files.size).toBe(model.size);
        expect(files.find(prefix)).toEqual(model.get(prefix));
      }),
      { numRuns: 1_000 },
    );
  });

  it('inserts 10,000 entries one by one into 50,000', () => {
    let files = SortedFiles.of(Array.from({ length: 50_000 }, (_, index) => file(`m/${index}`)));
    const before = files;
    for (let index = 0; index < 10_000; index += 1) files = files.with([file(`m/${index}-${index % 7}`)]);
    expect([files.size, before.size]).toEqual([60_000, 50_000]);
    const keys = [...files.withPrefix('')].map((entry) => entry.key);
    expect(keys).toEqual(keys.toSorted());
    expect(files.find('m/9999-3')).toBeDefined();
    expect([files.first?.key, files.last?.key]).toEqual(['m/0', 'm/9999-3']);
  });

  it('keeps the later of two entries with the same key', () => {
    expect(SortedFiles.of([file('b', 1), file('a', 1), file('b', 2)]).find('b')?.size).toBe(2);
    expect(SortedFiles.empty.with([file('b', 1), file('b', 2)]).find('b')?.size).toBe(2);
  });
});
