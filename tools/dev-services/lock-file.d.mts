import type { ProcessIdentity } from './processes.mjs';

export function tryLock(path: string, details?: Record<string, unknown>): ProcessIdentity | undefined;
export function findHolder(path: string): (ProcessIdentity & Record<string, unknown>) | undefined;
export function unlock(path: string): void;
