import { CpuCredit } from '../domain/cpu-credit';
import type { ControlGroup } from './control-group';

const SAMPLE_MS = 100;

/**
 * Runs an instance that uses much CPU with what the other processes of this machine leave: other apps, the runtime and
 * the edge then never wait for it. Stop it before the group is removed.
 */
export class CpuPriority {
  readonly #timer: NodeJS.Timeout;
  readonly #credit: CpuCredit;
  #isBusy = false;

  constructor(private readonly group: Pick<ControlGroup, 'cpuMs' | 'yieldCpu'>) {
    this.#credit = new CpuCredit(performance.now(), group.cpuMs());
    this.#timer = setInterval(() => this.#sample(), SAMPLE_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #sample(): void {
    this.#credit.update(performance.now(), this.group.cpuMs());
    const { isBusy } = this.#credit;
    if (isBusy === this.#isBusy) return;
    this.#isBusy = isBusy;
    this.group.yieldCpu(isBusy);
  }
}
