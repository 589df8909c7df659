import { Audit1764000000100, AuditActors1764900000110, AuditEventEntity } from '@homeport/organizations/server';
import { type DatabaseOptions } from '@homeport/platform/server/database';
import { DomainClaimEntity } from '../domains/adapters/postgres/domain-claim.entity';
import { ReleaseEntity } from '../deploys/adapters/postgres/release.entity';
import { FormerOwnerEntity } from '../registry/adapters/postgres/former-owner.entity';
import { Apps1763600000200 } from '../shared/adapters/postgres/migrations/1763600000200-apps';
import { AppChanges1764700000200 } from '../shared/adapters/postgres/migrations/1764700000200-app-changes';
import { DnsLedger1764000000200 } from '../shared/adapters/postgres/migrations/1764000000200-dns-ledger';
import { DoubtedRecords1764100000200 } from '../shared/adapters/postgres/migrations/1764100000200-doubted-records';
import { Deploys1764200000200 } from '../shared/adapters/postgres/migrations/1764200000200-deploys';
import { DeletedDeploys1764400000200 } from '../shared/adapters/postgres/migrations/1764400000200-deleted-deploys';
import { UndoneReleases1764300000200 } from '../shared/adapters/postgres/migrations/1764300000200-undone-releases';
import { FormerOwners1764410000200 } from '../shared/adapters/postgres/migrations/1764410000200-former-owners';
import { NumberedDeploys1764800000200 } from '../shared/adapters/postgres/migrations/1764800000200-numbered-deploys';
import { BranchAliases1764900000200 } from '../shared/adapters/postgres/migrations/1764900000200-branch-aliases';
import { DeployManifests1764900000201 } from '../shared/adapters/postgres/migrations/1764900000201-deploy-manifests';
import { DomainClaims1766000000600 } from '../shared/adapters/postgres/migrations/1766000000600-domain-claims';
import { Certificates1766000000700 } from '../shared/adapters/postgres/migrations/1766000000700-certificates';
import { DomainHsts1766000000710 } from '../shared/adapters/postgres/migrations/1766000000710-domain-hsts';
import { CertificateOrders1766000000800 } from '../shared/adapters/postgres/migrations/1766000000800-certificate-orders';
import { DomainChanges1766000000900 } from '../shared/adapters/postgres/migrations/1766000000900-domain-changes';
import { SsrApps1766000000200 } from '../shared/adapters/postgres/migrations/1766000000200-ssr-apps';
import { StartScope1766000000500 } from '../shared/adapters/postgres/migrations/1766000000500-start-scope';
import { FormerOwnersByOrganization1764420000200 } from '../shared/adapters/postgres/migrations/1764420000200-former-owners-by-organization';
import { ReleasesByDeploy1764600000200 } from '../shared/adapters/postgres/migrations/1764600000200-releases-by-deploy';

/** Options of a test database with the tables of apps and deploys. @param url its address. */
export const appsDatabaseOptions = (url: string): DatabaseOptions => ({
  url,
  poolSize: 10,
  entities: [DomainClaimEntity, FormerOwnerEntity, ReleaseEntity, AuditEventEntity],
  migrations: [
    Apps1763600000200,
    Audit1764000000100,
    DnsLedger1764000000200,
    DoubtedRecords1764100000200,
    Deploys1764200000200,
    UndoneReleases1764300000200,
    DeletedDeploys1764400000200,
    FormerOwners1764410000200,
    FormerOwnersByOrganization1764420000200,
    ReleasesByDeploy1764600000200,
    AppChanges1764700000200,
    NumberedDeploys1764800000200,
    AuditActors1764900000110,
    BranchAliases1764900000200,
    DeployManifests1764900000201,
    SsrApps1766000000200,
    StartScope1766000000500,
    DomainClaims1766000000600,
    Certificates1766000000700,
    DomainHsts1766000000710,
    CertificateOrders1766000000800,
    DomainChanges1766000000900,
  ],
});
