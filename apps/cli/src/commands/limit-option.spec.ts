import { describe, expect, it } from '@jest/globals';
import { assertLimit } from './limit-option';

describe('assertLimit', () => {
  it('accepts 1 to 1,000', () => {
    for (const limit of [undefined, 1, 1_000]) assertLimit(limit);
    for (const limit of [0, 1.5, 1_001, NaN]) expect(() => assertLimit(limit)).toThrow('--limit');
  });
});
