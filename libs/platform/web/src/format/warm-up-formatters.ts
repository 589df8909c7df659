import { fileSize } from './file-size';
import { formatNumber } from './number';
import { exactTime, relativeTime } from './relative-time';

const HOUR_MS = 3_600_000;

/** Creates the formatters most pages need: creating one takes as long as formatting a whole list. */
export function warmUpFormatters(): void {
  const now = new Date();
  const before = (hours: number): Date => new Date(now.getTime() - hours * HOUR_MS);
  formatNumber(0);
  fileSize(1_000);
  exactTime(now);
  for (const hours of [1, 240]) relativeTime(before(hours), now);
}
