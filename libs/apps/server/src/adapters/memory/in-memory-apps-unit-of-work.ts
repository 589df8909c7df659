import { type AppsRepositories, AppsUnitOfWork } from '../../application/apps-unit-of-work.port';
import { InMemoryAppRepository } from './in-memory-app-repository';
import type { InMemoryApps } from './in-memory-apps';
import { InMemoryAuditTrail } from './in-memory-audit-trail';
import { InMemoryDeployRepository } from './in-memory-deploy-repository';
import { InMemoryDnsLedger } from './in-memory-dns-ledger';
import { InMemoryIdempotencyKeys } from './in-memory-idempotency-keys';
import { InMemoryNameRepository } from './in-memory-name-repository';
import { InMemoryReleaseRepository } from './in-memory-release-repository';

/** The unit of work of apps and deploys in memory, for tests. */
export class InMemoryAppsUnitOfWork extends AppsUnitOfWork {
  constructor(private readonly store: InMemoryApps) {
    super();
  }

  async run<T>(work: (repositories: AppsRepositories) => Promise<T>): Promise<T> {
    return this.store.transaction((copy) =>
      work({
        apps: new InMemoryAppRepository(copy),
        names: new InMemoryNameRepository(copy),
        dns: new InMemoryDnsLedger(copy),
        deploys: new InMemoryDeployRepository(copy),
        releases: new InMemoryReleaseRepository(copy),
        idempotencyKeys: new InMemoryIdempotencyKeys(copy),
        audit: new InMemoryAuditTrail(copy),
      }),
    );
  }
}
