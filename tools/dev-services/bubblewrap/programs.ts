import type { SystemPrograms } from '../system-programs.ts';

/** Isolates SSR apps. It has no further dependencies and needs no configuration. */
export const BUBBLEWRAP: SystemPrograms = { title: 'bubblewrap', packages: ['bubblewrap'], programs: ['bwrap'] };
