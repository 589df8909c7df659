import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  cachedPart,
  canPin,
  shouldCacheOnView,
  type CacheEntry,
  MAX_CACHE_BYTES,
  MAX_CACHED_LIST_ENTRIES,
  MAX_PINNED_BYTES,
  MAX_VIEWED_BYTES,
  MAX_VIEWED_FILES,
  staleEntries,
  totalSize,
  keysToEvict,
} from './eviction-policy';

const entry = (parts: Partial<CacheEntry>): CacheEntry => ({
  key: 'a',
  size: 1,
  contentType: 'text/plain',
  etag: '"1"',
  modifiedAt: null,
  cachedAt: 0,
  viewedAt: 0,
  pinned: false,
  ...parts,
});

describe('shouldCacheOnView', () => {
  it.each([
    ['text/markdown; charset=utf-8', 10, true],
    ['application/json', 10, true],
    ['application/ld+json', 10, true],
    ['image/png', MAX_VIEWED_BYTES, true],
    ['image/png', MAX_VIEWED_BYTES + 1, false],
    ['application/zip', 10, false],
    ['video/mp4', 10, false],
    ['', 10, false],
  ])('%s of %i bytes: %s', (contentType, size, isCached) => {
    expect(shouldCacheOnView({ contentType, size })).toBe(isCached);
  });
});

describe('keysToEvict', () => {
  it('evicts the least recently viewed files, and no pinned file', () => {
    const cached = Array.from({ length: MAX_VIEWED_FILES + 2 }, (_, at) => entry({ key: `${at}`, viewedAt: at }));
    expect(keysToEvict([...cached, entry({ key: 'pin', pinned: true, viewedAt: -1 })])).toEqual(['1', '0']);
  });

  it('keeps the most recently viewed files that fit, and every pinned file', () => {
    const each = fc.record({
      size: fc.integer({ min: 0, max: MAX_VIEWED_BYTES }),
      viewedAt: fc.nat(1_000),
      pinned: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(each, { maxLength: 90 }), (list) => {
        const cached = list.map((parts, at) => entry({ ...parts, key: `${at}` }));
        const evicted = new Set(keysToEvict(cached));
        const left = cached.filter(({ key }) => !evicted.has(key));
        const viewed = left.filter(({ pinned }) => !pinned);
        expect(viewed.length).toBeLessThanOrEqual(MAX_VIEWED_FILES);
        expect(viewed.length === 0 || totalSize(left) <= MAX_CACHE_BYTES).toBe(true);
        expect(cached.filter(({ key, pinned }) => pinned && evicted.has(key))).toEqual([]);
        const oldestLeft = Math.min(...viewed.map(({ viewedAt }) => viewedAt));
        expect(cached.filter(({ key, viewedAt }) => evicted.has(key) && viewedAt > oldestLeft)).toEqual([]);
        expect(keysToEvict(left)).toEqual([]);
      }),
    );
  });
});

it('allows pinning a file that fits with the other pinned files', () => {
  const half = entry({ key: 'half', pinned: true, size: MAX_PINNED_BYTES });
  expect(canPin([half], { key: 'b', size: MAX_PINNED_BYTES })).toBe(true);
  expect(canPin([half, entry({ key: 'c', pinned: true })], { key: 'b', size: MAX_PINNED_BYTES })).toBe(false);
  expect(canPin([half], { key: 'half', size: MAX_PINNED_BYTES })).toBe(true);
  expect(canPin([], { key: 'b', size: MAX_PINNED_BYTES + 1 })).toBe(false);
});

it('finds the cache entries of changed and deleted files', () => {
  const cached = [
    entry({ key: 'same', pinned: true }),
    entry({ key: 'changed', pinned: true }),
    entry({ key: 'viewed' }),
    entry({ key: 'gone' }),
  ];
  const entries = ['same', 'changed', 'viewed'].map((key) => ({ key, etag: key === 'same' ? '"1"' : '"2"' }));
  expect(staleEntries(cached, entries)).toEqual({ changed: ['changed'], gone: ['gone'] });
});

it.each([
  [0, 0, false],
  [MAX_CACHED_LIST_ENTRIES, MAX_CACHED_LIST_ENTRIES, false],
  [MAX_CACHED_LIST_ENTRIES + 1, MAX_CACHED_LIST_ENTRIES, true],
])('of a list with %i entries, %i are cached; truncated: %s', (length, cached, isTruncated) => {
  const list = cachedPart(Array.from({ length }, (_, at) => at));
  expect([list.entries.length, list.entries.at(-1), list.isTruncated]).toEqual([
    cached,
    cached === 0 ? undefined : cached - 1,
    isTruncated,
  ]);
});
