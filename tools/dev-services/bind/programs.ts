import type { SystemPrograms } from '../programs.ts';

export const BIND: SystemPrograms = { title: 'BIND', packages: ['bind9'], programs: ['named'] };
