import {
  PassedExamination,
  type RuntimeProgram,
  SandboxBreached,
  SandboxUnavailable,
} from '@homeport/hosting/server/runtime';
import { errorRecord } from '@homeport/platform/server/observability';
import type { Logger } from 'pino';
import type { RuntimeConfig } from './config';

const LIMIT_MS = 60_000;
/** Requests that waited for a restart come first. */
const POSTPONED_MS = 5_000;
const PROGRAMS = { bubblewrap: 'bwrap', gvisor: 'runsc' } as const;

export type ExaminationLog = Pick<Logger, 'warn' | 'fatal'>;

/**
 * The sandbox tries all its walls on this machine before the runtime is ready. If it has passed already, and nothing has
 * changed since, it repeats that while apps run, so that a restart takes less time.
 */
export class Examination {
  #isPostponed = false;
  /** Undefined where the runtime does not isolate apps itself: it is asked at each start. */
  readonly #passed: PassedExamination | undefined;

  constructor(
    private readonly config: ExaminationConfig,
    private readonly runtime: Pick<RuntimeProgram, 'ready'>,
    private readonly log: ExaminationLog,
    /** Ends the runtime and all apps. */
    private readonly exit: () => void = () => process.exit(1),
  ) {
    const { RUNTIME, RUNTIME_DIR, RUNTIME_SANDBOX, RUNTIME_NODE = process.execPath } = config;
    if (RUNTIME !== 'pooled' || RUNTIME_SANDBOX === 'bare') return;
    const programs = [RUNTIME_NODE, PROGRAMS[RUNTIME_SANDBOX]];
    this.#passed = new PassedExamination({ folder: RUNTIME_DIR, sandbox: RUNTIME_SANDBOX, programs });
  }

  /** Resolves when apps may run. @throws {SandboxBreached} @throws {SandboxUnavailable} */
  async pass(): Promise<void> {
    const { RUNTIME, RUNTIME_SANDBOX } = this.config;
    if (RUNTIME === 'pooled' && RUNTIME_SANDBOX === 'bare') {
      this.log.warn('RUNTIME_SANDBOX=bare does not isolate apps: use it for your own apps only');
      return;
    }
    this.#isPostponed = (await this.#passed?.isValid()) ?? false;
    if (this.#isPostponed) return;
    await this.#examine();
    await this.#passed?.record();
  }

  /** Examines the sandbox later if it was not examined before. */
  repeatIfPostponed(delayMs = POSTPONED_MS): void {
    if (!this.#isPostponed) return;
    setTimeout(() => void this.#examine().catch(() => this.exit()), delayMs).unref();
  }

  async #examine(): Promise<void> {
    try {
      await this.runtime.ready(AbortSignal.timeout(LIMIT_MS));
    } catch (error) {
      await this.#passed?.remove();
      if (error instanceof SandboxBreached) this.log.fatal({ walls: error.walls }, 'the sandbox does not isolate apps');
      else {
        const err = errorRecord(error, !(error instanceof SandboxUnavailable));
        this.log.fatal({ err }, 'the sandbox could not be examined');
      }
      throw error;
    }
  }
}

export type ExaminationConfig = Pick<RuntimeConfig, 'RUNTIME' | 'RUNTIME_DIR' | 'RUNTIME_SANDBOX' | 'RUNTIME_NODE'>;
