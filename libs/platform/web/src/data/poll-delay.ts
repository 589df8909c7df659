const FIRST_MS = 2_000;
const LAST_MS = 15_000;
const GROWTH = 1.5;

/** How long to wait before reading again. @param polls how many there were. @returns milliseconds. */
export function pollDelayMs(polls: number): number {
  return Math.min(LAST_MS, Math.round(FIRST_MS * GROWTH ** polls));
}
