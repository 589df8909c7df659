import { readFile } from 'node:fs/promises';
import type { ControlGroupMounts, ControlGroups } from './control-group';
import { controlGroupsV1 } from './control-groups-v1';
import { controlGroupsV2 } from './control-groups-v2';

/** Limits of memory, processes and CPU by the kernel; undefined when this user may not create control groups. */
export async function findControlGroups(): Promise<ControlGroups | undefined> {
  const [mounts, own] = await Promise.all(
    ['/proc/self/mountinfo', '/proc/self/cgroup'].map((path) => readFile(path, 'utf8').catch(() => '')),
  );
  const found: ControlGroupMounts = { mounts: mounts ?? '', own: own ?? '' };
  return (await controlGroupsV2(found)) ?? (await controlGroupsV1(found));
}
