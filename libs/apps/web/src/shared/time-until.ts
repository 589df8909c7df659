import { perLanguage } from '@homeport/platform/web';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

const relative = perLanguage((language) => new Intl.RelativeTimeFormat(language, { numeric: 'always' }));

/** Formats the time until `at`: "in 12 seconds", "in 3 minutes". A time in the past counts as imminent. */
export function timeUntil(at: Date, now: Date): string {
  const left = at.getTime() - now.getTime();
  if (Number.isNaN(left)) return $localize`at an unknown time`;
  if (left < SECOND) return $localize`any moment now`;
  if (left < MINUTE) return relative().format(Math.floor(left / SECOND), 'second');
  if (left < HOUR) return relative().format(Math.round(left / MINUTE), 'minute');
  return relative().format(Math.round(left / HOUR), 'hour');
}
