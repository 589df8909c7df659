import { setTimeout } from 'node:timers/promises';

/** Time and waits; replaced in tests, so that they need not wait. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  wait(ms: number): Promise<unknown>;
}

/** The system clock. Its waits do not keep the process running. */
export const SYSTEM_CLOCK: Clock = { now: () => Date.now(), wait: (ms) => setTimeout(ms, undefined, { ref: false }) };
