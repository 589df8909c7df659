import type { SystemPrograms } from '../programs.ts';

export const KNOT: SystemPrograms = { title: 'Knot', packages: ['knot'], programs: ['knotd'] };
