/** How much a suite runs: a sample with every other test, all of it when `npm run suite` asks. */
export const isFull = process.env['HOMEPORT_SUITES'] === 'full';

export function suiteSize(sample: number, full: number): number {
  return isFull ? full : sample;
}

/** Names the seed of a run; another one with `HOMEPORT_SEED`. */
export const seed = Number(process.env['HOMEPORT_SEED'] ?? 1);

/** Numbers from 0 up to 1 that a seed repeats (mulberry32). */
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

/** Asks again until the answer is yes; the test's own limit is the only clock. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
}

/** Does a list of jobs, so many at a time. */
export async function inParallel<T>(jobs: readonly T[], width: number, run: (job: T) => Promise<void>): Promise<void> {
  const left = jobs.values();
  const worker = async () => {
    for (const job of left) await run(job);
  };
  await Promise.all(Array.from({ length: width }, worker));
}
