import { PassedExamination, type Sandbox, SandboxBreached } from '@homeport/hosting/server/runtime';
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
  readonly #passed: PassedExamination | undefined;

  constructor(
    { RUNTIME_DIR, RUNTIME_SANDBOX, RUNTIME_NODE = process.execPath }: ExaminationConfig,
    private readonly sandbox: Pick<Sandbox, 'examine'>,
    private readonly log: ExaminationLog,
    /** Ends the runtime and all apps. */
    private readonly exit: () => void = () => process.exit(1),
  ) {
    if (RUNTIME_SANDBOX === 'bare') return;
    const programs = [RUNTIME_NODE, PROGRAMS[RUNTIME_SANDBOX]];
    this.#passed = new PassedExamination({ folder: RUNTIME_DIR, sandbox: RUNTIME_SANDBOX, programs });
  }

  /** Resolves when apps may run. @throws {SandboxBreached} @throws {SandboxUnavailable} */
  async pass(): Promise<void> {
    if (!this.#passed) {
      this.log.warn('RUNTIME_SANDBOX=bare does not isolate apps: use it for your own apps only');
      return;
    }
    this.#isPostponed = await this.#passed.isValid();
    if (this.#isPostponed) return;
    await this.#examine(this.#passed);
    await this.#passed.record();
  }

  /** Examines the sandbox later if it was not examined before. */
  repeatIfPostponed(delayMs = POSTPONED_MS): void {
    const passed = this.#passed;
    if (!passed || !this.#isPostponed) return;
    setTimeout(() => void this.#examine(passed).catch(() => this.exit()), delayMs).unref();
  }

  async #examine(passed: PassedExamination): Promise<void> {
    try {
      await this.sandbox.examine(AbortSignal.timeout(LIMIT_MS));
    } catch (error) {
      await passed.remove();
      if (error instanceof SandboxBreached) this.log.fatal({ walls: error.walls }, 'the sandbox does not isolate apps');
      else this.log.fatal({ err: error }, 'the sandbox could not be examined');
      throw error;
    }
  }
}

export type ExaminationConfig = Pick<RuntimeConfig, 'RUNTIME_DIR' | 'RUNTIME_SANDBOX' | 'RUNTIME_NODE'>;
