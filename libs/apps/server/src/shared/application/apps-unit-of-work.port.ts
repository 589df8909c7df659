import type { AuditTrail } from '@homeport/organizations/server';
import type { AliasRepository } from '../../deploys/application/alias-repository.port';
import type { DeployRepository } from '../../deploys/application/deploy-repository.port';
import type { ReleaseRepository } from '../../deploys/application/release-repository.port';
import type { DnsLedger } from '../../dns/application/dns-ledger.port';
import type { DomainClaimRepository } from '../../domains/application/domain-claim-repository.port';
import type { DomainPeriods } from '../../domains/application/domain-periods.port';
import type { AppRepository } from '../../registry/application/app-repository.port';
import type { EnvironmentRepository } from '../../environment/application/environment-repository.port';
import type { IdempotencyKeys } from '../../registry/application/idempotency-keys.port';
import type { FormerOwnerRepository } from '../../registry/application/former-owner-repository.port';

/** The repositories of one unit of work. Lock an app before its deploys. */
export interface AppsRepositories {
  readonly apps: AppRepository;
  readonly formerOwners: FormerOwnerRepository;
  readonly dns: DnsLedger;
  readonly deploys: DeployRepository;
  readonly aliases: AliasRepository;
  readonly releases: ReleaseRepository;
  readonly idempotencyKeys: IdempotencyKeys;
  readonly environment: EnvironmentRepository;
  readonly domainClaims: DomainClaimRepository;
  readonly domainPeriods: DomainPeriods;
  readonly audit: AuditTrail;
}

/** Stores the changes of a use case together. */
export abstract class AppsUnitOfWork {
  /**
   * Runs the work in one transaction. Stores all changes that it makes through the given repositories, or none of them
   * when it throws. Jobs that it schedules are kept in both cases.
   * @throws {DatabaseUnavailable} @throws the error of the work.
   */
  abstract run<T>(work: (repositories: AppsRepositories) => Promise<T>): Promise<T>;
}
