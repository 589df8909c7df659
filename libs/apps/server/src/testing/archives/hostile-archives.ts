import type { HostileArchive } from './hostile-archive';
import { HOSTILE_TARS } from './hostile-tars';
import { HOSTILE_ZIPS } from './hostile-zips';

export type { HostileArchive } from './hostile-archive';

/** Archives that must all be rejected. */
export const HOSTILE_ARCHIVES: readonly HostileArchive[] = [...HOSTILE_TARS, ...HOSTILE_ZIPS];

/** @returns one archive of each format and limits, those that are slow to read, and every 20th of all. */
export function sampleOfHostileArchives(): readonly HostileArchive[] {
  const byLimits = Map.groupBy(HOSTILE_ARCHIVES, ({ format, limits }) => `${format} ${JSON.stringify(limits)}`);
  const firsts = new Set([...byLimits.values()].map(([first]) => first));
  return HOSTILE_ARCHIVES.filter((each, index) => firsts.has(each) || each.isSlow || index % 20 === 0);
}
