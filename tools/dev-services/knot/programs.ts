import type { SystemPrograms } from '../system-programs.ts';

export const KNOT: SystemPrograms = { title: 'Knot', packages: ['knot'], programs: ['knotd'] };
