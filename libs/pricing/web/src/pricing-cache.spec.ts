import { describe, expect, it } from '@jest/globals';
import type { PricingStatement } from '@homeport/pricing/contracts';
import { card } from './testing/example-card';
import { PricingCache } from './pricing-cache';

const statement = { version: '2026-10-01', usage: card, upcoming: [] } as unknown as PricingStatement;
const readAt = new Date('2026-11-01T12:00:00Z');

function store(content?: string): Pick<Storage, 'getItem' | 'setItem'> {
  let kept = content ?? null;
  return { getItem: () => kept, setItem: (_key, value) => void (kept = value) };
}

const closed: Pick<Storage, 'getItem' | 'setItem'> = {
  getItem: () => {
    throw new Error('closed');
  },
  setItem: () => {
    throw new Error('full');
  },
};

describe('the kept statement', () => {
  it('is the last that was read, with the time of it', () => {
    const kept = new PricingCache(() => store());
    expect(kept.load()).toBeUndefined();
    const one = store();
    new PricingCache(() => one).save({ statement, readAt });
    expect(new PricingCache(() => one).load()).toEqual({ statement, readAt });
  });

  it.each(['', '{', 'null', '[]', '{"readAt":"2026-11-01T12:00:00Z"}', '{"statement":{"usage":{}},"readAt":"never"}'])(
    'is none where something else is kept: %s',
    (content) => expect(new PricingCache(() => store(content)).load()).toBeUndefined(),
  );

  it('does without a storage', () => {
    const kept = new PricingCache(() => closed);
    kept.save({ statement, readAt });
    expect(kept.load()).toBeUndefined();
  });
});
