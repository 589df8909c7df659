import type { Database, JobQueue } from '@homeport/platform/server';
import { type AppsRepositories, AppsUnitOfWork } from '../../application/apps-unit-of-work.port';
import { PostgresAppRepository } from './postgres-app-repository';
import { PostgresAuditTrail } from './postgres-audit-trail';
import { PostgresDeployRepository } from './postgres-deploy-repository';
import { PostgresDnsLedger } from './postgres-dns-ledger';
import { PostgresIdempotencyKeys } from './postgres-idempotency-keys';
import { PostgresNameRepository } from './postgres-name-repository';
import { PostgresReleaseRepository } from './postgres-release-repository';
import { queriesIn } from './queries';

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
        names: new PostgresNameRepository(queries),
        dns: new PostgresDnsLedger(queries, this.jobs),
        deploys: new PostgresDeployRepository(queries, this.jobs),
        releases: new PostgresReleaseRepository(queries),
        idempotencyKeys: new PostgresIdempotencyKeys(queries),
        audit: new PostgresAuditTrail(queries),
      });
    });
  }
}
