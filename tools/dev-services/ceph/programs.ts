import type { SystemPrograms } from '../system-programs.ts';

export const CEPH: SystemPrograms = {
  title: 'Ceph',
  packages: ['radosgw', 'ceph-mon', 'ceph-osd', 'ceph-common'],
  programs: ['radosgw', 'ceph-mon', 'ceph-osd', 'ceph', 'radosgw-admin'],
};
