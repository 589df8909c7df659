import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { visibleRange } from './row-virtualizer';

it('covers the visible rows, and never many more', () => {
  const viewport = fc.record({
    top: fc.integer({ min: -2_000, max: 2_000_000 }),
    height: fc.integer({ min: 300, max: 2_000 }),
    rowHeight: fc.constantFrom(40, 56),
    rows: fc.nat({ max: 50_000 }),
  });
  fc.assert(
    fc.property(viewport, (seen) => {
      const { first, last } = visibleRange(seen);
      expect(first).toBeGreaterThanOrEqual(0);
      expect(last).toBeLessThanOrEqual(seen.rows);
      expect(last - first).toBeLessThanOrEqual(seen.height / seen.rowHeight + 50);
      const firstSeen = Math.max(0, Math.floor(seen.top / seen.rowHeight));
      const lastSeen = Math.min(seen.rows, Math.ceil((seen.top + seen.height) / seen.rowHeight));
      if (firstSeen < lastSeen) {
        expect(first).toBeLessThanOrEqual(firstSeen);
        expect(last).toBeGreaterThanOrEqual(lastSeen);
      }
    }),
  );
});
