import { dateLocale } from '../language/language';
import { perLanguage } from '../language/per-language';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const relative = perLanguage((language) => new Intl.RelativeTimeFormat(language, { numeric: 'auto' }));
const thisYear = perLanguage(
  (language) => new Intl.DateTimeFormat(dateLocale(language), { day: 'numeric', month: 'short' }),
);
const anyYear = perLanguage(
  (language) => new Intl.DateTimeFormat(dateLocale(language), { day: 'numeric', month: 'short', year: 'numeric' }),
);
const exact = perLanguage(
  (language) => new Intl.DateTimeFormat(dateLocale(language), { dateStyle: 'full', timeStyle: 'short' }),
);

/**
 * Formats a past time: "5 minutes ago", "yesterday", and a date after a week.
 * A time less than a minute in the future counts as now, because clocks differ.
 */
export function relativeTime(at: Date, now: Date): string {
  const age = now.getTime() - at.getTime();
  if (Number.isNaN(age)) return unknown();
  if (age < -MINUTE) return dateOf(at, now);
  if (age < MINUTE) return $localize`just now`;
  if (age < HOUR) return relative().format(-Math.floor(age / MINUTE), 'minute');
  const days = calendarDays(at, now);
  if (days === 0 || age < 6 * HOUR) return relative().format(-Math.floor(age / HOUR), 'hour');
  if (days < 7) return relative().format(-days, 'day');
  return dateOf(at, now);
}

/** Formats the full date and time, for a tooltip. */
export function exactTime(at: Date): string {
  return Number.isNaN(at.getTime()) ? unknown() : exact().format(at);
}

function unknown(): string {
  return $localize`unknown`;
}

function dateOf(at: Date, now: Date): string {
  return (at.getFullYear() === now.getFullYear() ? thisYear : anyYear)().format(at);
}

function calendarDays(at: Date, now: Date): number {
  return Math.round((startOfDay(now) - startOfDay(at)) / DAY);
}

function startOfDay(date: Date): number {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
}
