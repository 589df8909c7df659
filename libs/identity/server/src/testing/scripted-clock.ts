import type { Clock } from '../application/clock';

/** A clock whose waits are over at once, after everything else that can run has run. */
export class ScriptedClock implements Clock {
  readonly waits: number[] = [];
  time = Date.parse('2026-10-01T12:00:00Z');
  readonly now = (): number => this.time;

  async wait(ms: number): Promise<void> {
    this.waits.push(ms);
    this.time += ms;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
