import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { cardFor } from './card-for';

const card = (newSignupsFrom: string) => ({ newSignupsFrom });
const [first, second] = [card('2026-10-01T00:00:00Z'), card('2027-01-01T00:00:00Z')];

describe('cardFor', () => {
  it.each([
    ['2026-09-30T23:59:59.999Z', undefined],
    ['2026-10-01T00:00:00.000Z', first],
    ['2026-12-31T23:59:59.999Z', first],
    ['2027-01-01T00:00:00.000Z', second],
    ['2099-01-01T00:00:00.000Z', second],
  ])('returns the usage card for an account created at %s', (createdAt, expected) => {
    expect(cardFor(new Date(createdAt), [second, first])).toBe(expected);
  });

  it('never changes the card of an account when cards are added later', () => {
    const instant = fc.integer({ min: Date.parse('2026-01-01'), max: Date.parse('2036-01-01') });
    const cardAt = (ms: number) => card(new Date(ms).toISOString());
    fc.assert(
      fc.property(
        instant,
        fc.array(instant, { maxLength: 5 }),
        fc.array(instant, { maxLength: 5 }),
        (now, existing, added) => {
          const cards = existing.map(cardAt);
          // A card takes effect after its publication.
          const laterCards = added.map((ms) => cardAt(Math.max(ms, now + 1)));
          const createdAt = new Date(now - (now % 86_400_000));
          expect(cardFor(createdAt, [...laterCards, ...cards])).toBe(cardFor(createdAt, cards));
        },
      ),
      { numRuns: 10_000 },
    );
  });
});
