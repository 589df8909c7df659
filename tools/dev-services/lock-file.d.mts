import type { ProcessMark } from './processes.mjs';

export function tryLock(path: string, details?: Record<string, unknown>): ProcessMark | undefined;
export function findHolder(path: string): (ProcessMark & Record<string, unknown>) | undefined;
export function unlock(path: string): void;
