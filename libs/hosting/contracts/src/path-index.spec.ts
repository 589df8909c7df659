import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { PathIndex } from './path-index';
import { parsePattern, type PathPattern, segmentsOf } from './path-pattern';

const patternOf = (text: string): PathPattern => {
  const pattern = parsePattern(text);
  if ('fault' in pattern) throw new Error(pattern.fault);
  return pattern;
};

/** Compares one pattern with one path, segment by segment. */
function matches({ open, segments }: PathPattern, path: readonly string[]): boolean {
  if (open ? path.length < segments.length : path.length !== segments.length) return false;
  return segments.every((segment, index) => 'name' in segment || segment.literal === path[index]);
}

const segment = fc.constantFrom('a', 'b', 'A', '%2F', 'a%2Fb', 'ü', '__proto__', '', '.', '-');
const paths = fc.array(segment, { maxLength: 5 }).map((segments) => `/${segments.join('/')}`);
const patterns = fc
  .tuple(
    fc.array(fc.oneof({ weight: 2, arbitrary: segment }, fc.constantFrom(':x', ':y')), { maxLength: 4 }),
    fc.boolean(),
  )
  .map(([segments, open]) => `/${[...segments, ...(open ? ['*'] : [])].join('/')}`);

describe('PathIndex', () => {
  it('finds exactly the patterns that match one by one', () => {
    fc.assert(
      fc.property(fc.array(patterns, { maxLength: 40 }), fc.array(paths, { maxLength: 10 }), (texts, requested) => {
        const index = new PathIndex<number[]>();
        const known = texts.map(patternOf);
        known.forEach((pattern, order) => {
          const slot = index.entryFor(pattern, () => []);
          if ('entry' in slot) slot.entry.push(order);
        });
        for (const path of requested) {
          const segments = segmentsOf(path) ?? [];
          const expected = known.flatMap((pattern, order) => (matches(pattern, segments) ? [order] : []));
          expect(
            index
              .matching(segments)
              .flat()
              .toSorted((a, b) => a - b),
          ).toEqual(expected);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('accepts any number of literals, but only 64 arrangements', () => {
    const index = new PathIndex<true>();
    const isTaken = (text: string) => 'entry' in index.entryFor(patternOf(text), () => true);
    expect(Array.from({ length: 5_000 }, (_, i) => isTaken(`/a/${i}`)).every(Boolean)).toBe(true);
    const arrangements = Array.from({ length: 64 }, (_, i) =>
      [...i.toString(2).padStart(6, '0')].map((bit) => (bit === '0' ? '/a' : '/:a')).join(''),
    );
    expect(arrangements.map(isTaken)).toEqual(Array.from({ length: 64 }, (_, i) => i < 63));
    expect(isTaken('/another/one')).toBe(true);
    expect(index.entryFor(patternOf('/:a/*'), () => true)).toEqual({ fault: expect.stringContaining('64 different') });
  });

  it('accepts patterns of up to 32 segments', () => {
    const index = new PathIndex<true>();
    expect(index.entryFor(patternOf('/a'.repeat(32)), () => true)).toEqual({ entry: true });
    expect(index.entryFor(patternOf('/a'.repeat(33)), () => true)).toEqual({
      fault: expect.stringContaining('32 segments'),
    });
    expect(index.matching(Array.from({ length: 33 }, () => 'a'))).toEqual([]);
  });
});
