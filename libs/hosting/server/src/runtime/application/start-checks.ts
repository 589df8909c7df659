import type { RuntimeDirectory } from './runtime-directory.port';
import { RevisionNotFound, RuntimeFailed } from './runtime.errors';
import type { FirstRequest, Runtime } from './runtime.port';

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
  readonly runtime: Pick<Runtime, 'prepare'>;
  readonly directory: Pick<RuntimeDirectory, 'findServer'>;
  readonly records: StartCheckRecords;
  /** Lines of the log of a deploy whose start failed. */
  readonly linesOf: (deployId: string) => readonly string[];
  /** Stores the logs collected so far, so that readers of a result find the log of the start. Never rejects. */
  readonly flushLogs: () => Promise<void>;
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
      if (!result) return;
      await this.options.flushLogs();
      await this.options.records.record(result);
    } catch (error) {
      // The deploy stays unchecked, and the next poll finds it again.
      this.options.onError(error);
    } finally {
      this.#running.delete(deployId);
    }
  }

  async #check(deployId: string): Promise<StartCheckResult | undefined> {
    const server = await this.options.directory.findServer(deployId);
    if (!server) return undefined;
    const { version, startScope: scope } = server;
    try {
      const first = await this.options.runtime.prepare({ deployId, version, scope });
      const reason = failureOf(first);
      return { deployId, passed: reason === undefined, log: first.log, ...(reason !== undefined && { reason }) };
    } catch (error) {
      if (error instanceof RevisionNotFound) return undefined;
      if (!(error instanceof RuntimeFailed) || error.failure === 'queue-full') throw error;
      return { deployId, passed: false, reason: error.message, log: this.options.linesOf(deployId) };
    }
  }
}

/** Any valid response below 500 passes: an app may demand a sign-in, or have no first page. @returns why it fails. */
function failureOf({ status, error }: FirstRequest): string | undefined {
  if (status === undefined) return `A request for "/" was not answered: ${error}.`;
  return status >= 200 && status < 500 ? undefined : `A request for "/" was answered with the status ${status}.`;
}
