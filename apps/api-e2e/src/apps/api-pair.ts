import { expect } from '@jest/globals';
import type { ApiProcess } from '../product-processes';
import { until } from '../suites';
import { fatalLogLines } from './api-fixture';

/** Calls an API once. @param base of the API. @returns whether there was an answer. */
export type ApiCaller = (base: string) => Promise<boolean>;

interface ApiPairOptions {
  readonly start: () => Promise<ApiProcess>;
  readonly random: () => number;
  readonly mostAnswersBetween: number;
}

/** Two APIs, of which one at a time is killed while others call them. */
export class ApiPair {
  answers = 0;
  lost = 0;
  /** Undefined while it is down. */
  readonly #apis: (ApiProcess | undefined)[] = [];

  constructor(private readonly options: ApiPairOptions) {}

  async open(): Promise<void> {
    for (let n = 0; n < 2; n += 1) this.#apis.push(await this.options.start());
  }

  /** Of one that is up. @param chance which, from 0 to below 1. */
  url(chance = this.options.random()): string {
    const up = this.#apis.filter((api) => api !== undefined);
    return (up[Math.floor(chance * up.length)] as ApiProcess).url;
  }

  /** Has each call one or the other, again and again. */
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

  /** All call until one of the two dies, and for a while the other one. @returns which one is down. */
  async crash(callers: readonly ApiCaller[]): Promise<number> {
    const after = this.answers + this.#pace();
    const enough = after + this.#pace();
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

  /** Starts another in the place of the one that is down. @param callers those who call the other one meanwhile. */
  async restart(victim: number, callers: readonly ApiCaller[] = []): Promise<void> {
    const calling = this.call(callers, () => this.#apis[victim] !== undefined);
    this.#apis[victim] = await this.options.start();
    await calling;
  }

  expectNoUnexpectedErrors(): void {
    for (const api of this.#apis) expectNoUnexpectedErrors(api as ApiProcess);
  }

  #pace(): number {
    return 1 + Math.floor(this.options.random() * this.options.mostAnswersBetween);
  }
}

function expectNoUnexpectedErrors(api: ApiProcess): void {
  expect([api.unexpectedErrors(), fatalLogLines(api)]).toEqual([[], []]);
}
