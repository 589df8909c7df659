import type { SystemPrograms } from '../system-programs.ts';

export const CADDY: SystemPrograms = { title: 'Caddy', packages: ['caddy'], programs: ['caddy'] };
export const HAPROXY: SystemPrograms = { title: 'HAProxy', packages: ['haproxy'], programs: ['haproxy'] };
export const NGINX: SystemPrograms = { title: 'nginx', packages: ['nginx'], programs: ['nginx'] };
