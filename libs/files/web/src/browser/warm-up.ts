import { exactTime, relativeTime } from '@homeport/platform/web';
import { nameKey } from '../tree/name-order';

const HOUR_MS = 3_600_000;

/**
 * Makes what sorts names and words times while the listing is on its way: the first one of each takes as long as all
 * rows of a screen.
 */
export function warmUp(): void {
  setTimeout(() => {
    nameKey('');
    relativeTime(new Date(0), new Date(HOUR_MS));
    exactTime(new Date(0));
  });
}
