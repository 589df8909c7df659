import type { HostileArchive } from './hostile-archive';
import { HOSTILE_TARS } from './hostile-tars';
import { HOSTILE_ZIPS } from './hostile-zips';

export type { HostileArchive } from './hostile-archive';

/** Archives that must all be rejected. */
export const HOSTILE_ARCHIVES: readonly HostileArchive[] = [...HOSTILE_TARS, ...HOSTILE_ZIPS];

/** @returns one archive of each format with the same expected reason and limits. */
export function sampleOfHostileArchives(): readonly HostileArchive[] {
  const kindOf = ({ format, expectedReason, limits }: HostileArchive) =>
    `${format} ${expectedReason} ${JSON.stringify(limits)}`;
  return [...Map.groupBy(HOSTILE_ARCHIVES, kindOf).values()].map(([first]) => first as HostileArchive);
}
