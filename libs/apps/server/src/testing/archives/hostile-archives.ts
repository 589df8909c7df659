import type { HostileArchive } from './hostile-archive';
import { HOSTILE_TARS } from './hostile-tars';
import { HOSTILE_ZIPS } from './hostile-zips';

export type { HostileArchive } from './hostile-archive';

/** Archives that must all be rejected. */
export const HOSTILE_ARCHIVES: readonly HostileArchive[] = [...HOSTILE_TARS, ...HOSTILE_ZIPS];
