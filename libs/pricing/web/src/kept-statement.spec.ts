import { describe, expect, it } from '@jest/globals';
import type { PricingStatement } from '@homeport/pricing/contracts';
import { card } from './testing/example-card';
import { KeptStatement } from './kept-statement';

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
    const kept = new KeptStatement(() => store());
    expect(kept.find()).toBeUndefined();
    const one = store();
    new KeptStatement(() => one).keep({ statement, readAt });
    expect(new KeptStatement(() => one).find()).toEqual({ statement, readAt });
  });

  it.each(['', '{', 'null', '[]', '{"readAt":"2026-11-01T12:00:00Z"}', '{"statement":{"usage":{}},"readAt":"never"}'])(
    'is none where something else is kept: %s',
    (content) => expect(new KeptStatement(() => store(content)).find()).toBeUndefined(),
  );

  it('does without a storage', () => {
    const kept = new KeptStatement(() => closed);
    kept.keep({ statement, readAt });
    expect(kept.find()).toBeUndefined();
  });
});
