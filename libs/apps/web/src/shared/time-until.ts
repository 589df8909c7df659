const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'always' });

/** How far away `at` is, for reading: "in 12 seconds", "in 3 minutes". What is over counts as about to happen. */
export function timeUntil(at: Date, now: Date): string {
  const left = at.getTime() - now.getTime();
  if (Number.isNaN(left)) return 'at an unknown time';
  if (left < SECOND) return 'any moment now';
  if (left < MINUTE) return relative.format(Math.floor(left / SECOND), 'second');
  if (left < HOUR) return relative.format(Math.round(left / MINUTE), 'minute');
  return relative.format(Math.round(left / HOUR), 'hour');
}
