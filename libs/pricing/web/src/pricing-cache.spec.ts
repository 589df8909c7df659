import { describe, expect, it } from '@jest/globals';
import type { PricingStatement } from '@homeport/pricing/contracts';
import { card } from './testing/example-card';
import { PricingCache } from './pricing-cache';

const statement = { version: '2026-10-01', usage: card, upcoming: [] } as unknown as PricingStatement;
const readAt = new Date('2026-11-01T12:00:00Z');

function store(content?: string): Pick<Storage, 'getItem' | 'setItem'> {
  let stored = content ?? null;
  return { getItem: () => stored, setItem: (_key, value) => void (stored = value) };
}

const unavailable: Pick<Storage, 'getItem' | 'setItem'> = {
  getItem: () => {
    throw new Error('unavailable');
  },
  setItem: () => {
    throw new Error('full');
  },
};

describe('PricingCache', () => {
  it('returns the last saved statement with its time', () => {
    const cache = new PricingCache(() => store());
    expect(cache.load()).toBeUndefined();
    const one = store();
    new PricingCache(() => one).save({ statement, readAt });
    expect(new PricingCache(() => one).load()).toEqual({ statement, readAt });
  });

  it.each(['', '{', 'null', '[]', '{"readAt":"2026-11-01T12:00:00Z"}', '{"statement":{"usage":{}},"readAt":"never"}'])(
    'returns undefined for invalid content: %s',
    (content) => expect(new PricingCache(() => store(content)).load()).toBeUndefined(),
  );

  it('tolerates unavailable storage', () => {
    const cache = new PricingCache(() => unavailable);
    cache.save({ statement, readAt });
    expect(cache.load()).toBeUndefined();
  });
});
