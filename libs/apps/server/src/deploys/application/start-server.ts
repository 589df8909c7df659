import { DatabaseUnavailable } from '@homeport/kernel';
import { MAX_START_LOG_LINES } from '@homeport/apps/contracts';
import type { DeployRepository, ReadyDeploy } from './deploy-repository.port';
import { DeployInterrupted, DeploysUnavailable } from '../domain/deploys.errors';
import { StartFailed } from '../../server-detection/domain/server-detection.errors';
import { startAdvice } from '../../server-detection/domain/start-advice';
import type { AppsUnitOfWork } from '../../shared/application/apps-unit-of-work.port';
import { DeployLease } from './deploy-lease';
import type { StartCheck, StartChecks } from './start-checks.port';

export interface StartLimits {
  /** Milliseconds until a runtime must have launched the server. */
  readonly launchMs: number;
  /** Milliseconds until the check must have ended. */
  readonly totalMs: number;
}

/** The runtime ends a start after 10 s, but loads the files first. */
const LIMITS: StartLimits = { launchMs: 30_000, totalMs: 120_000 };

export interface StartServerDependencies {
  readonly unitOfWork: AppsUnitOfWork;
  readonly deploys: DeployRepository;
  readonly checks: StartChecks;
  /** For tests. */
  readonly limits?: StartLimits;
  /** A clock in milliseconds, for tests. */
  readonly now?: () => number;
}

/** Has a runtime start the server of a deploy once, before the deploy may become ready. */
export class StartServer {
  constructor(private readonly dependencies: StartServerDependencies) {}

  /**
   * Stores the files, sets the status `starting`, and waits until the server answered its first request.
   * @throws {StartFailed} @throws {DeploysUnavailable} when no runtime starts it.
   * @throws {DeployInterrupted} when the deploy was failed or deleted meanwhile.
   */
  async execute(id: string, { files, server, activation }: ReadyDeploy, signal: AbortSignal): Promise<void> {
    if (!server) return;
    await this.dependencies.unitOfWork.run(async ({ deploys }) => {
      if (!(await deploys.claimCompletion(id))) throw new DeployInterrupted();
      // First: a request that is repeated meanwhile must not store the files again.
      await deploys.beginStarting(id, server, activation === 'never' ? 'preview' : 'production');
      await deploys.addFiles(id, files);
    });
    const lease = new DeployLease(this.dependencies.deploys, id);
    try {
      await this.#untilChecked(id, AbortSignal.any([signal, lease.signal]));
    } finally {
      lease.stop();
    }
  }

  async #untilChecked(id: string, signal: AbortSignal): Promise<void> {
    const { checks, now = () => performance.now(), limits = LIMITS } = this.dependencies;
    const startedAt = now();
    for (;;) {
      signal.throwIfAborted();
      const check = await this.#find(id);
      if (typeof check === 'object') return assertPassed(check);
      if (now() - startedAt > (check === 'launched' ? limits.totalMs : limits.launchMs)) throw noRuntime();
      await checks.changed(id, signal);
    }
  }

  /** An outage of the database must not fail the deploy: its lease decides. */
  async #find(id: string): Promise<StartCheck | 'waiting' | 'launched'> {
    try {
      return await this.dependencies.checks.find(id);
    } catch (error) {
      if (error instanceof DatabaseUnavailable) return 'waiting';
      throw error;
    }
  }
}

function assertPassed({ hasPassed, reason, log }: StartCheck): void {
  if (hasPassed) return;
  const lines = log.slice(-MAX_START_LOG_LINES);
  const what = reason ?? 'The server did not start.';
  const advice = startAdvice(what, lines);
  throw new StartFailed(advice === undefined ? what : `${what} ${advice}`, lines);
}

function noRuntime(): DeploysUnavailable {
  return new DeploysUnavailable({}, 'No runtime is available to start the server. Deploy again in a minute.');
}
