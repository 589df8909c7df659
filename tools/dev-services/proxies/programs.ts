import type { SystemPrograms } from '../system-programs.ts';

export const HAPROXY: SystemPrograms = { title: 'HAProxy', packages: ['haproxy'], programs: ['haproxy'] };
export const NGINX: SystemPrograms = { title: 'nginx', packages: ['nginx'], programs: ['nginx'] };
