import type { LogStream } from '@homeport/apps/contracts';
import { formatNumber, type IconName, perLanguage, type StatusTone } from '@homeport/platform/web';
import type { EventConnectionState } from '../client/event-connection';

/** Whether new lines arrive, as icon and text. */
export interface LogStatus {
  readonly words: string;
  readonly icon: IconName;
  readonly tone: StatusTone;
}

export function logStatus(connection: EventConnectionState, isFollowing: boolean): LogStatus {
  switch (connection) {
    case 'open':
      return isFollowing
        ? { words: $localize`:log|:Following`, icon: 'check-circle', tone: 'ok' }
        : { words: $localize`:log|:Paused`, icon: 'clock', tone: 'quiet' };
    case 'waiting':
      return { words: $localize`Connection lost. Trying again…`, icon: 'offline', tone: 'warn' };
    case 'refused':
      return { words: $localize`New lines are not available`, icon: 'alert', tone: 'bad' };
    default:
      return { words: $localize`Connecting…`, icon: 'clock', tone: 'busy' };
  }
}

/** How many lines are shown: "480 lines", or with a filter "12 of 480 lines". */
export function lineCountMessage(shown: number, loaded: number): string {
  if (shown !== loaded) return $localize`${formatNumber(shown)}:shown: of ${formatNumber(loaded)}:loaded: lines`;
  return loaded === 1 ? $localize`1 line` : $localize`${formatNumber(loaded)}:loaded: lines`;
}

/** The button that shows the newest lines. */
export function newestMessage(waiting: number): string {
  if (waiting === 0) return $localize`Go to the newest lines`;
  return waiting === 1 ? $localize`1 new line` : $localize`${formatNumber(waiting)}:count: new lines`;
}

/** The names of the streams are those of POSIX, in every language. */
export function streamLabel(stream: LogStream): string {
  return stream === 'system' ? $localize`:log stream|:System` : stream;
}

const clock = perLanguage(
  (language) =>
    new Intl.DateTimeFormat(language, {
      ...{ hour: '2-digit', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3, hourCycle: 'h23' },
    }),
);
const day = perLanguage((language) => new Intl.DateTimeFormat(language, { dateStyle: 'full' }));

/** The time of a line, to the millisecond. */
export function lineTime(at: Date): string {
  return clock().format(at);
}

/** The day of a line, for the heading above the first line of a day. */
export function lineDay(at: Date): string {
  return day().format(at);
}
