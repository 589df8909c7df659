import type { SystemPrograms } from '../system-programs.ts';

/** Isolates SSR apps of people who do not trust each other: each app has its own kernel. */
export const GVISOR: SystemPrograms = { title: 'gVisor', packages: ['runsc'], programs: ['runsc'] };
