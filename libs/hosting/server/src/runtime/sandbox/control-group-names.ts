import { isProcessAlive } from './process-memory';

/** The group that contains those of all instances. */
export const GROUPS_FOLDER = 'homeport-runtime';

/** A name that tells later runtimes to which process the group belonged. */
export function groupName(instanceId: string): string {
  return `${process.pid}-${instanceId}`;
}

/** Whether the runtime that created a group has ended. */
export function isLeftover(name: string): boolean {
  const [pid] = name.split('-');
  return Number(pid) > 0 && Number(pid) !== process.pid && !isProcessAlive(Number(pid));
}
