import { formatNumber } from '@homeport/platform/web';
import { MAX_CACHED_LIST_ENTRIES } from './eviction-policy';

/** Says that the cached list of files, from which lists and counts are shown, is incomplete. */
export function truncatedListMessage(): string {
  const count = formatNumber(MAX_CACHED_LIST_ENTRIES);
  return $localize`Only the first ${count}:count: files of your workspace are listed on this device.`;
}
