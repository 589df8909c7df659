/**
 * `launching`: its server does not listen yet. `ready`: serves requests. `frozen`: suspended, because it had no requests
 * for a while. `draining`: finishes its requests and gets no new ones. `stopped`, `crashed`: its processes have ended.
 */
export const INSTANCE_STATES = ['launching', 'ready', 'frozen', 'draining', 'stopped', 'crashed'] as const;
export type InstanceState = (typeof INSTANCE_STATES)[number];

const NEXT: Readonly<Record<InstanceState, readonly InstanceState[]>> = {
  launching: ['ready', 'draining', 'crashed'],
  ready: ['frozen', 'draining', 'crashed'],
  frozen: ['ready', 'draining', 'crashed'],
  draining: ['stopped', 'crashed'],
  stopped: [],
  crashed: [],
};

/** Whether an instance in one state may change to the other one. */
export function mayBecome(from: InstanceState, to: InstanceState): boolean {
  return NEXT[from].includes(to);
}
