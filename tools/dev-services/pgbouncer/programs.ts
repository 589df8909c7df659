import type { SystemPrograms } from '../system-programs.ts';

export const PGBOUNCER: SystemPrograms = { title: 'PgBouncer', packages: ['pgbouncer'], programs: ['pgbouncer'] };
