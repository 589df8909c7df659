/** Cores that an instance may use all the time without losing its priority. */
const EARNED_CORES = 0.3;
/** CPU time that it may use at once after a quiet time, such as for a cold start or an expensive page. */
const BURST_MS = 300;

/**
 * Tells instances that use much CPU from those that answer requests now and then. An instance earns credit all the time
 * and spends it by using CPU. Without credit it is busy; it is no longer busy when it has earned half of the burst.
 */
export class CpuCredit {
  #credit = BURST_MS;
  #isBusy = false;
  #at: number;
  #used: number;

  /** @param at time, and CPU time used until then, both in milliseconds. */
  constructor(at: number, used: number) {
    this.#at = at;
    this.#used = used;
  }

  get isBusy(): boolean {
    return this.#isBusy;
  }

  /** @param at time, and CPU time used until then, both in milliseconds. */
  update(at: number, used: number): void {
    const earned = (at - this.#at) * EARNED_CORES;
    const spent = used - this.#used;
    this.#credit = Math.max(0, Math.min(BURST_MS, this.#credit + earned - spent));
    this.#at = at;
    this.#used = used;
    this.#isBusy = this.#isBusy ? this.#credit < BURST_MS / 2 : this.#credit === 0;
  }
}
