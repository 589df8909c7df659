const MIN_INTERVAL_MS = 1_000;
const WINDOW_MS = 3 * 3_600_000;
const MAX_PER_WINDOW = 250;

/** How far back the starts of orders count. */
export const PACE_WINDOW_MS = WINDOW_MS;

/**
 * Milliseconds until an account may place its next order: one a second, 250 in 3 hours.
 * @param starts when its last orders were placed, in any order.
 */
export function paceDelay(starts: readonly Date[], now: Date): number {
  const times = starts
    .map((start) => start.getTime())
    .filter((time) => time > now.getTime() - WINDOW_MS)
    .toSorted((one, other) => other - one);
  const afterLast = (times[0] ?? -Infinity) + MIN_INTERVAL_MS;
  const afterWindow = (times[MAX_PER_WINDOW - 1] ?? -Infinity) + WINDOW_MS;
  return Math.max(0, afterLast - now.getTime(), afterWindow - now.getTime());
}
