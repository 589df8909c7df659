import { changeClaim } from '../../domains/application/change-claim';
import { systemDomainEvent } from '../../domains/application/domain-event';
import { DomainClaim, type DomainClaimFacts } from '../../domains/domain/domain-claim';
import type { AppsUnitOfWork } from '../../shared/application/apps-unit-of-work.port';
import type { CertificateOrder } from '../domain/certificate-order';
import { IssuanceFailed } from '../domain/issuance-failed';
import { blockedDelay, retryDelay, stateAfterFailure, stateWhileOrdering } from '../domain/order-schedule';
import { fallbackRenewal } from '../domain/renewal-time';
import type { CertificateIssuer, IssuanceStep } from './certificate-issuer.port';
import type { AcquiredOrder, CertificateRepository } from './certificate-repository.port';
import type { OrderPrecheck } from './order-precheck';

export interface OrderRunnerDependencies {
  readonly repository: CertificateRepository;
  readonly issuer: CertificateIssuer;
  readonly precheck: Pick<OrderPrecheck, 'check'>;
  readonly unitOfWork: AppsUnitOfWork;
  readonly reportFailure: (error: unknown, names: readonly string[]) => void;
  readonly now?: () => Date;
  /** From 0 to below 1. */
  readonly random?: () => number;
}

/** Another instance acquired the order: this one must stop. */
class LeaseLost extends Error {}

/** Runs one order as far as possible: checks, order, answer, certificate. */
export class OrderRunner {
  constructor(private readonly dependencies: OrderRunnerDependencies) {}

  /** @param signal ends before the lease of the order. @throws {DatabaseUnavailable} */
  async run(acquired: AcquiredOrder, signal: AbortSignal): Promise<void> {
    const { order, claim } = acquired;
    const { repository } = this.dependencies;
    if (order.claimId !== undefined && !(claim && new DomainClaim(claim, true).mayHaveCertificate)) {
      return repository.discard(order);
    }
    try {
      const ready = await this.#prepare(order, claim, signal);
      if (!ready) return;
      const step = await this.#advance(ready, acquired, signal);
      await this.#settle(acquired, step);
    } catch (error) {
      if (error instanceof LeaseLost) return;
      await this.#fail(acquired, error);
    }
  }

  /** Checks the records of an order that is not placed. @returns undefined when it is postponed. */
  async #prepare(
    order: CertificateOrder,
    claim: DomainClaimFacts | undefined,
    signal: AbortSignal,
  ): Promise<CertificateOrder | undefined> {
    const { precheck, repository } = this.dependencies;
    if (order.progress || !claim) return order;
    const result = await precheck.check(order, claim, signal);
    if ('challenge' in result) {
      if (result.challenge !== order.challenge) await repository.changeChallenge(order, result.challenge);
      return { ...order, challenge: result.challenge };
    }
    const delayMs = blockedDelay(this.#now().getTime() - order.createdAt.getTime());
    await repository.postpone(order, {
      nextAttemptAt: this.#in(delayMs),
      failures: order.failures,
      error: result.blockedBy,
      keepsProgress: false,
    });
    return undefined;
  }

  #advance(order: CertificateOrder, { hasValidCertificate }: AcquiredOrder, signal: AbortSignal) {
    const { issuer, repository } = this.dependencies;
    return issuer.advance(order, {
      signal,
      save: async (progress) => {
        const isSaved = await repository.saveProgress(order, progress, stateWhileOrdering(hasValidCertificate));
        if (!isSaved) throw new LeaseLost();
      },
    });
  }

  async #settle({ order, claim, hasValidCertificate }: AcquiredOrder, step: IssuanceStep): Promise<void> {
    const { repository } = this.dependencies;
    if (step.outcome === 'waiting') {
      const nextAttemptAt = this.#in(step.retryAfterMs);
      const { failures } = order;
      const state = stateWhileOrdering(hasValidCertificate);
      return repository.postpone(order, { nextAttemptAt, failures, error: null, keepsProgress: true, state });
    }
    const certificate = step.outcome === 'issued' ? step.certificate : undefined;
    const renewAt = certificate ? fallbackRenewal(certificate.notBefore, certificate.notAfter) : this.#now();
    const action = order.replaces ? 'apps.certificate-renewed' : 'apps.certificate-issued';
    const event = claim && systemDomainEvent(action, claim);
    const isStored = await repository.complete(order, { certificate, renewAt, event });
    if (isStored && claim) await this.#settlePeriod(claim);
  }

  /** The claim has become active: its period begins. */
  async #settlePeriod(claim: DomainClaimFacts): Promise<void> {
    await this.dependencies.unitOfWork.run(async (repositories) => {
      // The lock keeps the period of a claim that is removed meanwhile closed.
      const related = await repositories.domainClaims.lockRelated(claim);
      const current = related.find(({ id }) => id === claim.id);
      if (current) await changeClaim(repositories, current, { changes: {}, needsCertificate: true, now: this.#now() });
    });
  }

  async #fail({ order, claim, hasValidCertificate }: AcquiredOrder, error: unknown): Promise<void> {
    const { random = Math.random, reportFailure, repository } = this.dependencies;
    reportFailure(error, order.names);
    const failure = error instanceof IssuanceFailed ? error : new IssuanceFailed('unavailable', 'it was interrupted');
    const failures = order.failures + 1;
    const { problem, retryAfterMs } = failure;
    const state = claim && stateAfterFailure(claim.certificate, problem, { failures, hasValidCertificate });
    // A failure that is retried is not news again.
    const isNews = state === 'failed' && claim?.certificate !== 'failed';
    await repository.postpone(order, {
      nextAttemptAt: this.#in(retryDelay(failures, random(), retryAfterMs)),
      failures,
      error: failure.message,
      // After some failures the order is placed again, at the next directory.
      keepsProgress: problem === 'unavailable' && failures % 3 !== 0,
      state,
      event: isNews && claim ? systemDomainEvent('apps.certificate-failed', claim, { problem }) : undefined,
    });
  }

  #in(delayMs: number): Date {
    return new Date(this.#now().getTime() + delayMs);
  }

  #now(): Date {
    return this.dependencies.now?.() ?? new Date();
  }
}
