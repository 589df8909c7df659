import { expect, it } from '@jest/globals';
import { pollDelayMs } from './poll-delay';

it('grows with each poll, up to 15 seconds', () => {
  expect([0, 1, 2, 3, 4, 5, 6, 1_000].map(pollDelayMs)).toEqual([
    2_000, 3_000, 4_500, 6_750, 10_125, 15_000, 15_000, 15_000,
  ]);
});
