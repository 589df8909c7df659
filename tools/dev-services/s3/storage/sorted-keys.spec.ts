import { describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { afterAllWith, justAfter, rankOf, SortedKeys } from './sorted-keys.ts';

/** From every range in which the orders of UTF-16 and UTF-8 may differ. */
const LETTERS = ['\u0000', 'a', 'b', '/', 'ü', '\ud7ff', '\ue000', '\uffff', '\u{10000}', '😀', '\u{10ffff}'];

/** The same unsorted keys in every run. */
function someKeys(count: number): string[] {
  const keys = new Set<string>();
  for (let i = 0; keys.size < count; i++) {
    const noise = createHash('md5').update(String(i)).digest();
    const letters = Array.from(
      noise.subarray(1, 2 + (noise.readUInt8(0) % 6)),
      (byte) => LETTERS[byte % LETTERS.length],
    );
    keys.add(letters.join(''));
  }
  return [...keys];
}

function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

const keysFrom = (sorted: SortedKeys, rank: string): string[] => Array.from(sorted.from(rank), ({ key }) => key);

describe('rankOf', () => {
  it('sorts like UTF-8 bytes', () => {
    const keys = someKeys(2000);
    const ranked = [...keys].sort((a, b) => (rankOf(a) < rankOf(b) ? -1 : 1));
    expect(ranked).toEqual([...keys].sort(byBytes));
  });

  it('keeps ordinary keys unchanged', () => {
    expect(rankOf('photos/ünï/1.jpg')).toBe('photos/ünï/1.jpg');
  });

  it('bounds all keys with a prefix', () => {
    for (const letter of LETTERS) expect(afterAllWith(rankOf('p')) > rankOf(`p${letter}`)).toBe(true);
    expect(afterAllWith(rankOf('p')) < rankOf('q')).toBe(true);
  });
});

describe('SortedKeys', () => {
  const keys = someKeys(5000);
  const expected = [...keys].sort(byBytes);

  it('keeps order through inserts that split its blocks', () => {
    const sorted = new SortedKeys();
    for (const key of keys) sorted.add(key);
    expect(keysFrom(sorted, '')).toEqual(expected);
  });

  it('keeps order through deletes, inserts into a loaded list, and deletes of everything', () => {
    const sorted = SortedKeys.from(keys.slice(0, 3000));
    for (const key of keys.slice(0, 1500)) sorted.delete(key);
    for (const key of keys.slice(3000)) sorted.add(key);
    const rest = new Set(keys.slice(1500));
    expect(keysFrom(sorted, '')).toEqual(expected.filter((key) => rest.has(key)));
    for (const key of keys) sorted.delete(key);
    expect(keysFrom(sorted, '')).toEqual([]);
    sorted.add('again');
    expect(keysFrom(sorted, '')).toEqual(['again']);
  });

  it('starts at any key', () => {
    const sorted = SortedKeys.from(keys);
    for (const at of [0, 1, 511, 512, 513, 4999]) {
      const key = expected[at] ?? '';
      expect(keysFrom(sorted, rankOf(key))).toEqual(expected.slice(at));
      expect(keysFrom(sorted, justAfter(rankOf(key)))).toEqual(expected.slice(at + 1));
    }
  });
});
