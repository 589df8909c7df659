import type { SystemPrograms } from '../system-programs.ts';

export const PROMETHEUS: SystemPrograms = {
  title: 'Prometheus',
  packages: ['prometheus'],
  programs: ['prometheus', 'promtool'],
};
