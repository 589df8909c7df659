import type { Instance, Lease } from './instance';
import { RevisionNotFound, RuntimeFailed } from './runtime.errors';
import type { RuntimePool } from './runtime-pool';

/** The result of starting a deploy for the first time. */
export interface StartCheckResult {
  readonly deployId: string;
  readonly passed: boolean;
  readonly reason?: string;
  /** The last lines of the log. */
  readonly log: readonly string[];
}

/** Stores results of start checks. */
export abstract class StartCheckRecords {
  /** The first result of a deploy is kept. @throws {DatabaseUnavailable} */
  abstract record(result: StartCheckResult): Promise<void>;
}

export interface StartChecksOptions {
  readonly pool: Pick<RuntimePool, 'check'>;
  readonly records: StartCheckRecords;
  /** Requests `/` of an instance. @returns the status. @throws {Error} without a response. */
  readonly probe: (instance: Instance) => Promise<number>;
  /** Lines of the log of a deploy whose start failed. */
  readonly linesOf: (deployId: string) => readonly string[];
  readonly onError: (error: unknown) => void;
}

/** Starts each new deploy once before it may become ready. */
export class StartChecks {
  readonly #running = new Set<string>();

  constructor(private readonly options: StartChecksOptions) {}

  /** Checks a deploy. Several runtimes may check the same one: the first result counts. */
  async run(deployId: string): Promise<void> {
    if (this.#running.has(deployId)) return;
    this.#running.add(deployId);
    try {
      const result = await this.#check(deployId);
      if (result) await this.options.records.record(result);
    } catch (error) {
      // The deploy stays unchecked, and the next poll finds it again.
      this.options.onError(error);
    } finally {
      this.#running.delete(deployId);
    }
  }

  async #check(deployId: string): Promise<StartCheckResult | undefined> {
    let lease: Lease;
    try {
      lease = await this.options.pool.check(deployId);
    } catch (error) {
      if (error instanceof RevisionNotFound) return undefined;
      if (!(error instanceof RuntimeFailed) || error.failure === 'queue-full') throw error;
      return { deployId, passed: false, reason: error.message, log: this.options.linesOf(deployId) };
    }
    try {
      const reason = await this.#probe(lease.instance);
      const log = lease.instance.lastLines;
      return { deployId, passed: reason === undefined, log, ...(reason !== undefined && { reason }) };
    } finally {
      lease.release();
    }
  }

  /** Any valid response below 500 passes: an app may demand a sign-in, or have no first page. @returns why it fails. */
  async #probe(instance: Instance): Promise<string | undefined> {
    try {
      const status = await this.options.probe(instance);
      return status >= 200 && status < 500 ? undefined : `A request for "/" was answered with the status ${status}.`;
    } catch (error) {
      return `A request for "/" was not answered: ${(error as Error).message}.`;
    }
  }
}
