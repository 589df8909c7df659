import { perLanguage } from '@homeport/platform/web';

const CLOCK = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
const today = perLanguage((language) => new Intl.DateTimeFormat(language, CLOCK));
const before = perLanguage(
  (language) => new Intl.DateTimeFormat(language, { ...CLOCK, day: 'numeric', month: 'short' }),
);

/** Formats a time: "14:02" for today, with the date for earlier days. */
export function formatTimestamp(at: Date, now: Date): string {
  return (at.toDateString() === now.toDateString() ? today() : before()).format(at);
}
