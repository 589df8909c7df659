import type { SystemPrograms } from '../system-programs.ts';

/** Debian keeps the server's programs in a folder for each version; this one of the same package is on the PATH. */
export const DEBIAN_POSTGRES: SystemPrograms = {
  title: 'PostgreSQL of Debian',
  packages: ['postgresql'],
  programs: ['pg_createcluster'],
};
