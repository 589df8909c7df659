import { expect } from '@jest/globals';
import type { ApiProcess } from '../product-processes';
import { until } from '../suites';
import { fatalLogLines } from './api-fixture';

/** Calls an API once. @param base address of the API. @returns whether a response arrived. */
export type ApiCaller = (base: string) => Promise<boolean>;

interface ApiPairOptions {
  readonly start: () => Promise<ApiProcess>;
  readonly random: () => number;
  readonly maxResponsesBetween: number;
}

/** Two APIs. Either one is killed while callers use both. */
export class ApiPair {
  answers = 0;
  lost = 0;
  /** Undefined while the API is down. */
  readonly #apis: (ApiProcess | undefined)[] = [];

  constructor(private readonly options: ApiPairOptions) {}

  async open(): Promise<void> {
    this.#apis.push(...(await Promise.all([this.options.start(), this.options.start()])));
  }

  /** The address of a running API. @param chance selects the API, from 0 to below 1. */
  url(chance = this.options.random()): string {
    const up = this.#apis.filter((api) => api !== undefined);
    return (up[Math.floor(chance * up.length)] as ApiProcess).url;
  }

  /** Makes each caller call a random API repeatedly until `isEnough` returns true. */
  async call(callers: readonly ApiCaller[], isEnough: () => boolean): Promise<void> {
    await Promise.all(
      callers.map(async (caller) => {
        while (!isEnough()) {
          if (await caller(this.url())) this.answers += 1;
          else this.lost += 1;
        }
      }),
    );
  }

  /**
   * Runs the callers, kills one API, and continues for a while with the other one. @returns the index of the killed
   * API.
   */
  async crash(callers: readonly ApiCaller[]): Promise<number> {
    const after = this.answers + this.#randomCount();
    const enough = after + this.#randomCount();
    const calling = this.call(callers, () => this.answers >= enough);
    await until(() => this.answers >= after);
    const victim = Math.floor(this.options.random() * this.#apis.length);
    const api = this.#apis[victim] as ApiProcess;
    this.#apis[victim] = undefined;
    await api.kill();
    await calling;
    expectNoUnexpectedErrors(api);
    return victim;
  }

  /** Restarts the API at this index. @param callers call the other API meanwhile. */
  async restart(victim: number, callers: readonly ApiCaller[] = []): Promise<void> {
    const calling = this.call(callers, () => this.#apis[victim] !== undefined);
    this.#apis[victim] = await this.options.start();
    await calling;
  }

  expectNoUnexpectedErrors(): void {
    for (const api of this.#apis) expectNoUnexpectedErrors(api as ApiProcess);
  }

  #randomCount(): number {
    return 1 + Math.floor(this.options.random() * this.options.maxResponsesBetween);
  }
}

function expectNoUnexpectedErrors(api: ApiProcess): void {
  expect([api.unexpectedErrors(), fatalLogLines(api)]).toEqual([[], []]);
}
