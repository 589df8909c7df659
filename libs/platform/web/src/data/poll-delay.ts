import { backoffMs } from '@homeport/kernel';

const FIRST_MS = 2_000;
const MAX_MS = 15_000;
const GROWTH = 1.5;

/**
 * The delay before the next poll.
 *
 * @param polls number of polls so far.
 * @returns milliseconds.
 */
export function pollDelayMs(polls: number): number {
  return Math.round(backoffMs(polls + 1, { firstMs: FIRST_MS, maxMs: MAX_MS, factor: GROWTH }));
}
