import { renewalIn } from '../domain/renewal-time';
import { IssuanceFailed } from '../domain/issuance-failed';
import type { CertificateIssuer } from './certificate-issuer.port';
import type { CertificateRepository, RenewalLook, WantedCertificates } from './certificate-repository.port';
import type { ChallengePublisher } from './challenge-publisher';
import type { OrderRunner } from './order-runner';

/** Ends the work on an order before its lease. */
const ORDER_LIMIT_MS = 60_000;
const LEASE_MS = 90_000;
const BATCH_SIZE = 10;
/** Ends a run before the queue counts it as lost. The next run continues. */
const RUN_LIMIT_MS = 45_000;
/** Later orders are left to the schedule of the job. */
const MAX_WAIT_MS = 60_000;
const LOOK_LEASE_MS = 600_000;
const DEFAULT_LOOK_MS = 24 * 3_600_000;
/** After an authority did not answer. */
const FAILED_LOOK_MS = 6 * 3_600_000;

export interface DueCertificatesDependencies {
  readonly repository: CertificateRepository;
  readonly runner: OrderRunner;
  readonly issuer: CertificateIssuer;
  readonly publisher: ChallengePublisher;
  readonly wanted: WantedCertificates;
  /** Starts another run after these seconds. */
  readonly scheduleRun: (delaySeconds: number) => Promise<void>;
  readonly reportFailure: (error: unknown, names: readonly string[]) => void;
  readonly now?: () => Date;
  /** From 0 to below 1. */
  readonly random?: () => number;
}

/** Orders and renews the certificates that are due, on any number of instances. */
export class DueCertificates {
  constructor(private readonly dependencies: DueCertificatesDependencies) {}

  /** @throws {DatabaseUnavailable} */
  async run(): Promise<void> {
    const { repository, wanted } = this.dependencies;
    await repository.removeReleased();
    await this.#withdrawExpired();
    await this.#lookAtRenewals();
    await repository.addWanted(wanted, this.#now());
    const endsAt = performance.now() + RUN_LIMIT_MS;
    for (let due = await this.#acquire(); due.length > 0; due = await this.#acquire()) {
      const signal = AbortSignal.timeout(ORDER_LIMIT_MS);
      await Promise.all(due.map((order) => this.dependencies.runner.run(order, signal)));
      if (performance.now() > endsAt) break;
    }
    await this.#scheduleNext();
  }

  /** Removes what the issuer keeps for claims that have ended. @throws {DatabaseUnavailable} */
  async removeUnused(): Promise<void> {
    const { issuer, reportFailure, repository } = this.dependencies;
    try {
      await issuer.removeUnused((claimIds) => repository.keptClaims(claimIds), AbortSignal.timeout(RUN_LIMIT_MS));
    } catch (error) {
      if (!(error instanceof IssuanceFailed)) throw error;
      // The next run continues.
      reportFailure(error, []);
    }
  }

  #acquire() {
    return this.dependencies.repository.acquireDue(LEASE_MS, BATCH_SIZE, this.#now());
  }

  async #withdrawExpired(): Promise<void> {
    try {
      await this.dependencies.publisher.withdrawExpired(AbortSignal.timeout(ORDER_LIMIT_MS));
    } catch (error) {
      // Orders do not depend on it.
      this.dependencies.reportFailure(error, []);
    }
  }

  /** Asks authorities for the best time of renewals. */
  async #lookAtRenewals(): Promise<void> {
    const looks = await this.dependencies.repository.acquireRenewalLooks(LOOK_LEASE_MS, BATCH_SIZE, this.#now());
    await Promise.all(looks.map((look) => this.#lookAtRenewal(look)));
  }

  async #lookAtRenewal(look: RenewalLook): Promise<void> {
    const { issuer, random = Math.random, repository } = this.dependencies;
    const { certificateId } = look;
    try {
      const advice = await issuer.renewalAdvice(look, AbortSignal.timeout(ORDER_LIMIT_MS));
      const renewAt = advice && renewalIn(advice.window, random());
      await repository.setRenewal(certificateId, renewAt, this.#in(advice?.retryAfterMs ?? DEFAULT_LOOK_MS));
    } catch (error) {
      if (!(error instanceof IssuanceFailed)) throw error;
      await repository.setRenewal(certificateId, undefined, this.#in(FAILED_LOOK_MS));
    }
  }

  async #scheduleNext(): Promise<void> {
    const ms = await this.dependencies.repository.msUntilDue(this.#now());
    if (ms !== undefined && ms < MAX_WAIT_MS) await this.dependencies.scheduleRun(Math.ceil(ms / 1_000));
  }

  #in(delayMs: number): Date {
    return new Date(this.#now().getTime() + delayMs);
  }

  #now(): Date {
    return this.dependencies.now?.() ?? new Date();
  }
}
