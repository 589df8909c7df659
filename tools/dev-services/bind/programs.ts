import type { SystemPrograms } from '../system-programs.ts';

export const BIND: SystemPrograms = { title: 'BIND', packages: ['bind9'], programs: ['named'] };
