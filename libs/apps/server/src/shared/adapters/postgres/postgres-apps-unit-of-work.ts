import { type Database, queriesIn } from '@homeport/platform/server/database';
import type { JobQueue } from '@homeport/platform/server/jobs';
import { type AppsRepositories, AppsUnitOfWork } from '../../application/apps-unit-of-work.port';
import { PostgresAppRepository } from '../../../registry/adapters/postgres/postgres-app-repository';
import { PostgresAuditTrail } from '@homeport/organizations/server';
import { PostgresAliasRepository } from '../../../deploys/adapters/postgres/postgres-alias-repository';
import { PostgresDeployRepository } from '../../../deploys/adapters/postgres/postgres-deploy-repository';
import { PostgresDomainClaimRepository } from '../../../domains/adapters/postgres/postgres-domain-claim-repository';
import { PostgresDomainPeriods } from '../../../domains/adapters/postgres/postgres-domain-periods';
import { PostgresEnvironmentRepository } from '../../../environment/adapters/postgres/postgres-environment-repository';
import { PostgresDnsLedger } from '../../../dns/adapters/postgres/postgres-dns-ledger';
import { PostgresIdempotencyKeys } from '../../../registry/adapters/postgres/postgres-idempotency-keys';
import { PostgresFormerOwnerRepository } from '../../../registry/adapters/postgres/postgres-former-owner-repository';
import { PostgresReleaseRepository } from '../../../deploys/adapters/postgres/postgres-release-repository';

/** The unit of work of apps and deploys: a transaction in PostgreSQL. */
export class PostgresAppsUnitOfWork extends AppsUnitOfWork {
  /** @param jobs schedules jobs outside of the transaction, so that they are kept when it is rolled back. */
  constructor(
    private readonly database: Database,
    private readonly jobs: JobQueue,
  ) {
    super();
  }

  async run<T>(work: (repositories: AppsRepositories) => Promise<T>): Promise<T> {
    return this.database.transaction((manager) => {
      const queries = queriesIn(manager);
      return work({
        apps: new PostgresAppRepository(queries),
        formerOwners: new PostgresFormerOwnerRepository(queries),
        dns: new PostgresDnsLedger(queries, this.jobs),
        deploys: new PostgresDeployRepository(queries, this.jobs),
        aliases: new PostgresAliasRepository(queries),
        releases: new PostgresReleaseRepository(queries),
        idempotencyKeys: new PostgresIdempotencyKeys(queries),
        environment: new PostgresEnvironmentRepository(queries),
        domainClaims: new PostgresDomainClaimRepository(queries),
        domainPeriods: new PostgresDomainPeriods(queries),
        audit: new PostgresAuditTrail(queries),
      });
    });
  }
}
