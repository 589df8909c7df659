import { type AppsRepositories, AppsUnitOfWork } from '../../application/apps-unit-of-work.port';
import { InMemoryAppRepository } from '../../../registry/adapters/memory/in-memory-app-repository';
import type { InMemoryApps } from './in-memory-apps';
import { InMemoryAuditTrail } from '@homeport/organizations/server';
import { InMemoryAliasRepository } from '../../../deploys/adapters/memory/in-memory-alias-repository';
import { InMemoryDeployRepository } from '../../../deploys/adapters/memory/in-memory-deploy-repository';
import { InMemoryDomainClaimRepository } from '../../../domains/adapters/memory/in-memory-domain-claim-repository';
import { InMemoryDomainPeriods } from '../../../domains/adapters/memory/in-memory-domain-periods';
import { InMemoryEnvironmentRepository } from '../../../environment/adapters/memory/in-memory-environment-repository';
import { InMemoryDnsLedger } from '../../../dns/adapters/memory/in-memory-dns-ledger';
import { InMemoryIdempotencyKeys } from '../../../registry/adapters/memory/in-memory-idempotency-keys';
import { InMemoryFormerOwnerRepository } from '../../../registry/adapters/memory/in-memory-former-owner-repository';
import { InMemoryReleaseRepository } from '../../../deploys/adapters/memory/in-memory-release-repository';

/** The unit of work of apps and deploys in memory, for tests. */
export class InMemoryAppsUnitOfWork extends AppsUnitOfWork {
  constructor(private readonly store: InMemoryApps) {
    super();
  }

  async run<T>(work: (repositories: AppsRepositories) => Promise<T>): Promise<T> {
    return this.store.transaction((copy) =>
      work({
        apps: new InMemoryAppRepository(copy),
        formerOwners: new InMemoryFormerOwnerRepository(copy),
        dns: new InMemoryDnsLedger(copy),
        deploys: new InMemoryDeployRepository(copy),
        aliases: new InMemoryAliasRepository(copy),
        releases: new InMemoryReleaseRepository(copy),
        idempotencyKeys: new InMemoryIdempotencyKeys(copy),
        environment: new InMemoryEnvironmentRepository(copy),
        domainClaims: new InMemoryDomainClaimRepository(copy),
        domainPeriods: new InMemoryDomainPeriods(copy),
        audit: new InMemoryAuditTrail(copy.auditEvents),
      }),
    );
  }
}
