import { isProcessAlive } from './process-memory';

/** The group that contains those of all instances. */
export const GROUPS_FOLDER = 'homeport-runtime';

/** The name of an instance on the host, which tells later runtimes to which process it belonged. */
export function instanceName(instanceId: string): string {
  // Short, because paths of sockets have a limit.
  return `${process.pid}-${instanceId.replaceAll('-', '')}`;
}

/** Whether the runtime that chose a name has ended. */
export function isLeftover(name: string): boolean {
  const [pid] = name.split('-');
  return Number(pid) > 0 && Number(pid) !== process.pid && !isProcessAlive(Number(pid));
}
