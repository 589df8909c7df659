import { setTimeout } from 'node:timers/promises';

/** The passing of time, so that nothing but the product has to wait for it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  wait(ms: number): Promise<unknown>;
}

/** A wait keeps no process running. */
export const SYSTEM_CLOCK: Clock = { now: () => Date.now(), wait: (ms) => setTimeout(ms, undefined, { ref: false }) };
