import type { SystemPrograms } from '../system-programs.ts';

export const SYSTEMD: SystemPrograms = { title: 'systemd', packages: ['systemd'], programs: ['systemd-analyze'] };
