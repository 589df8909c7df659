import {
  AppChanges1764700000200,
  FormerOwnerEntity,
  ReleaseEntity,
  Apps1763600000200,
  BranchAliases1764900000200,
  DeployManifests1764900000201,
  DeletedDeploys1764400000200,
  Deploys1764200000200,
  FormerOwners1764410000200,
  FormerOwnersByOrganization1764420000200,
  NumberedDeploys1764800000200,
  ReleasesByDeploy1764600000200,
  DnsLedger1764000000200,
  DomainClaimEntity,
  CertificateOrders1766000000800,
  Certificates1766000000700,
  DomainHsts1766000000710,
  DomainChanges1766000000900,
  DomainClaims1766000000600,
  DoubtedRecords1764100000200,
  SsrApps1766000000200,
  StartScope1766000000500,
  UndoneReleases1764300000200,
} from '@homeport/apps/server';
import {
  ExchangedTokenEntity,
  ExchangedTokens1766000000400,
  SessionEntity,
  SessionList1763700000100,
  Sessions1763600000100,
  TokenEntity,
  Tokens1764900000100,
  TrustEntity,
} from '@homeport/identity/server';
import {
  AccountEntity,
  Accounts1764500000100,
  AuditActors1764900000110,
  AuditEventEntity,
  Audit1764000000100,
  AuditedPeople1766200000400,
} from '@homeport/organizations/server';
import { type DatabaseOptions } from '@homeport/platform/server/database';
import { Corrections1766200000100, Pricing1764100000100, TrialLines1766000001000 } from '@homeport/pricing/server';
import {
  BudgetNotices1766200000200,
  Usage1766000001100,
  UsageDeliveries1766200000300,
  UsageEventExpiry1766200000310,
  UsageEventIndex1766200000320,
} from '@homeport/usage/server';
import { RateLimits1766100000100 } from '@homeport/platform/server/limits';
import type { Config } from './config';

/** The migrations of all domains, in the order of their numbers. */
const MIGRATIONS: DatabaseOptions['migrations'] = [
  Sessions1763600000100,
  SessionList1763700000100,
  Apps1763600000200,
  Audit1764000000100,
  DnsLedger1764000000200,
  DoubtedRecords1764100000200,
  Pricing1764100000100,
  Deploys1764200000200,
  UndoneReleases1764300000200,
  DeletedDeploys1764400000200,
  FormerOwners1764410000200,
  FormerOwnersByOrganization1764420000200,
  Accounts1764500000100,
  ReleasesByDeploy1764600000200,
  AppChanges1764700000200,
  NumberedDeploys1764800000200,
  Tokens1764900000100,
  AuditActors1764900000110,
  BranchAliases1764900000200,
  DeployManifests1764900000201,
  SsrApps1766000000200,
  ExchangedTokens1766000000400,
  StartScope1766000000500,
  DomainClaims1766000000600,
  Certificates1766000000700,
  DomainHsts1766000000710,
  CertificateOrders1766000000800,
  DomainChanges1766000000900,
  TrialLines1766000001000,
  Usage1766000001100,
  RateLimits1766100000100,
  Corrections1766200000100,
  BudgetNotices1766200000200,
  UsageDeliveries1766200000300,
  UsageEventExpiry1766200000310,
  UsageEventIndex1766200000320,
  AuditedPeople1766200000400,
];

/** The database options of the pools and the migrations, with the tables of all domains. */
export function databaseOptions(config: Pick<Config, 'DATABASE_URL' | 'DATABASE_POOL_SIZE'>): DatabaseOptions {
  return {
    url: config.DATABASE_URL,
    poolSize: config.DATABASE_POOL_SIZE,
    entities: [
      SessionEntity,
      TokenEntity,
      TrustEntity,
      ExchangedTokenEntity,
      DomainClaimEntity,
      FormerOwnerEntity,
      ReleaseEntity,
      AccountEntity,
      AuditEventEntity,
    ],
    migrations: MIGRATIONS,
  };
}
