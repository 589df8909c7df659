import type { SystemPrograms } from '../system-programs.ts';

export const PEBBLE: SystemPrograms = {
  title: 'Pebble',
  packages: ['pebble'],
  programs: ['pebble', 'pebble-challtestsrv'],
};
