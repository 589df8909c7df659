import type { AppsUnitOfWork } from '../../shared/application/apps-unit-of-work.port';
import type { DomainClaimFacts } from '../domain/domain-claim';
import type { DomainChecker } from './domain-checker';

/** Longer than a check takes, so that no other instance repeats it meanwhile. */
const LEASE_MS = 60_000;
const BATCH_SIZE = 20;
/** Ends a run before the queue counts it as lost. The next run continues. */
const RUN_LIMIT_MS = 90_000;
/** Later checks are left to the schedule of the job. */
const MAX_WAIT_MS = 60_000;

export interface DueChecksDependencies {
  readonly unitOfWork: AppsUnitOfWork;
  readonly checker: DomainChecker;
  /** Starts another run after these seconds. */
  readonly scheduleRun: (delaySeconds: number) => Promise<void>;
}

/** Runs the checks that are due, on any number of instances. */
export class DueChecks {
  constructor(private readonly dependencies: DueChecksDependencies) {}

  /** @throws {DatabaseUnavailable} */
  async run(): Promise<void> {
    const { checker } = this.dependencies;
    const endsAt = performance.now() + RUN_LIMIT_MS;
    for (let due = await this.#acquire(); due.length > 0; due = await this.#acquire()) {
      await Promise.all(due.map((claim) => checker.check(claim)));
      if (performance.now() > endsAt) break;
    }
    await this.#scheduleNext();
  }

  #acquire(): Promise<readonly DomainClaimFacts[]> {
    return this.dependencies.unitOfWork.run(({ domainClaims }) => domainClaims.acquireDue(LEASE_MS, BATCH_SIZE));
  }

  async #scheduleNext(): Promise<void> {
    const ms = await this.dependencies.unitOfWork.run(({ domainClaims }) => domainClaims.msUntilDue());
    if (ms !== undefined && ms < MAX_WAIT_MS) await this.dependencies.scheduleRun(Math.ceil(ms / 1_000));
  }
}
