import { expect } from '@jest/globals';

/** Whether to run the full suites (`npm run suite`) instead of samples. */
export const isFull = process.env['HOMEPORT_SUITES'] === 'full';

export function suiteSize(sample: number, full: number): number {
  return isFull ? full : sample;
}

/** The seed of a run; `HOMEPORT_SEED` changes it. */
export const seed = Number(process.env['HOMEPORT_SEED'] ?? 1);

/** A reproducible random number generator (mulberry32) from 0 to below 1. */
export function randomFrom(start: number): () => number {
  let state = start >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const POLL_MS = 20;

/** Polls until the condition holds. Only the test's own time limit applies. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
}

/** Starts something of several parts. When one cannot start, those that have are closed. */
export async function startOrClose<Whole extends { close(): Promise<void> }>(
  whole: Whole,
  start: (whole: Whole) => Promise<void>,
): Promise<Whole> {
  try {
    await start(whole);
    return whole;
  } catch (error) {
    await whole.close();
    throw error;
  }
}

/** Runs jobs with limited concurrency. */
export async function inParallel<T>(jobs: readonly T[], width: number, run: (job: T) => Promise<void>): Promise<void> {
  const remaining = jobs.values();
  const worker = async () => {
    for (const job of remaining) await run(job);
  };
  await Promise.all(Array.from({ length: width }, worker));
}

/** Checks a duration in the full suite, and reports it otherwise: the gate also runs on busy machines. */
export function expectWithin(durationMs: number, limitMs: number, what: string): void {
  if (isFull) expect(durationMs).toBeLessThan(limitMs);
  else console.info(`${what} after ${Math.round(durationMs)} ms`);
}
