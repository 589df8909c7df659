import { APP_TYPES } from '@homeport/apps/contracts';
import {
  type ArchiveLimits,
  type AppsOptions,
  type ChallengeZone,
  DnsDomainResolver,
  type DnsZone,
  EmbeddedChallengeZone,
  EmbeddedDnsZone,
  HostedZoneClient,
  HostnamePolicy,
  PostgresAppChangeFeed,
  PostgresAppRepository,
  PostgresAppsUnitOfWork,
  PostgresBlobLedger,
  PostgresDeployRepository,
  PostgresDnsLedger,
  PostgresManifestRepository,
  PostgresIdempotencyKeys,
  PostgresRuntimeFeed,
  PostgresRuntimeReports,
  PostgresStartChecks,
  SecretBoxSealer,
  PostgresFormerOwnerRepository,
  Rfc2136ChallengeZone,
  Rfc2136DnsZone,
  type RuntimeFeed,
  Route53ChallengeZone,
  Route53DnsZone,
  SpooledArchiveReader,
} from '@homeport/apps/server';
import { PostgresAccountRepository } from '@homeport/organizations/server';
import { ObservedBlobStore } from '@homeport/platform/server/blobs';
import { s3OptionsOf } from '@homeport/platform/server/config';
import type { Database } from '@homeport/platform/server/database';
import type { JobQueue } from '@homeport/platform/server/jobs';
import { AddressPolicy } from '@homeport/platform/server/network';
import { OutageLog } from '@homeport/platform/server/observability';
import { S3BlobStore } from '@homeport/platform/server/storage';
import type { PriceBook } from '@homeport/pricing/server';
import type { Logger } from 'pino';
import { AccountDomainPrices } from './account-domain-prices';
import { certificateOptions } from './certificate-options';
import { issuerOf } from './certificate-variables';
import type { Config } from './config';
import type { ApiObserver } from './observe-api';

export interface AppsDependencies {
  readonly database: Database;
  readonly databaseOutages: OutageLog;
  readonly jobs: JobQueue;
  readonly dnsZone: DnsZone;
  readonly challengeZone: ChallengeZone;
  /** For outages of the certificate authority. */
  readonly log: Pick<Logger, 'warn' | 'info'>;
  readonly storageOutages: OutageLog;
  readonly onCall?: ApiObserver['onCall'] | undefined;
  readonly priceBook: PriceBook;
}

const DNS_PORT = 53;

export function appsOptions(config: Config, dependencies: AppsDependencies): AppsOptions {
  const addresses = new AddressPolicy();
  const serverAt = (host: string) => (addresses.refusalOf(host) === undefined ? { host, port: DNS_PORT } : undefined);
  const { database, databaseOutages, jobs, dnsZone } = dependencies;
  const runtimeFeed = new PostgresRuntimeFeed({ url: config.DATABASE_URL, outages: databaseOutages });
  const resolver = new DnsDomainResolver({ resolvers: config.DOMAIN_RESOLVERS, serverAt });
  const outages = new OutageLog('certificates', dependencies.log, { onCall: dependencies.onCall });
  const { challengeZone } = dependencies;
  return {
    unitOfWork: new PostgresAppsUnitOfWork(database, jobs),
    appRepository: new PostgresAppRepository(database),
    formerOwnerRepository: new PostgresFormerOwnerRepository(database),
    dnsLedger: new PostgresDnsLedger(database, jobs),
    idempotencyKeys: new PostgresIdempotencyKeys(database),
    dnsZone,
    changeFeed: new PostgresAppChangeFeed({ url: config.DATABASE_URL, outages: databaseOutages }),
    hostnames: hostnamePolicy(config),
    appTypes: config.RUNTIME === 'off' ? ['static'] : APP_TYPES,
    jobs,
    runtime: { reports: new PostgresRuntimeReports(database), feed: runtimeFeed },
    variableSealer: config.SECRETS_KEYS && new SecretBoxSealer(config.SECRETS_KEYS),
    quota: config.APPS_PER_ORGANIZATION,
    quarantine: { days: config.NAME_QUARANTINE_DAYS, maxNames: config.APPS_PER_ORGANIZATION },
    deploys: deploysOptions(config, { ...dependencies, runtimeFeed }),
    domains: {
      resolver,
      prices: new AccountDomainPrices(new PostgresAccountRepository(database), dependencies.priceBook),
      reservedHosts: [new URL(config.publicUrl).hostname],
      challengeZone: issuerOf(config) === 'acme' ? config.ACME_ZONE : undefined,
      needsCertificate: issuerOf(config) !== 'off',
    },
    certificates: certificateOptions(config, { database, challengeZone, resolver, outages }),
  };
}

function deploysOptions(
  config: Config,
  { database, jobs, storageOutages, runtimeFeed }: AppsDependencies & { readonly runtimeFeed: RuntimeFeed },
): AppsOptions['deploys'] {
  return {
    deployRepository: new PostgresDeployRepository(database, jobs),
    manifestRepository: new PostgresManifestRepository(database),
    blobLedger: new PostgresBlobLedger(database),
    blobStore: new ObservedBlobStore(new S3BlobStore(s3OptionsOf(config)), storageOutages),
    archiveReader: new SpooledArchiveReader(),
    startChecks: new PostgresStartChecks(database, runtimeFeed),
    limits: deployLimits(config),
    retained: config.DEPLOYS_KEPT,
  };
}

function deployLimits(config: Config): ArchiveLimits {
  return {
    archiveBytes: config.DEPLOY_MAX_BYTES,
    unpackedBytes: config.DEPLOY_MAX_INFLATED_BYTES,
    files: config.DEPLOY_MAX_FILES,
    fileBytes: config.DEPLOY_MAX_FILE_BYTES,
  };
}

/** What the selected DNS provider stores: records of apps, and answers to DNS challenges. */
export interface DnsZones {
  readonly dnsZone: DnsZone;
  readonly challengeZone: ChallengeZone;
}

/** The configuration guarantees that the settings of the selected provider are set. */
export function dnsZonesFor(config: Config): DnsZones {
  if (config.DNS_PROVIDER === 'route53') {
    const client = new HostedZoneClient({
      hostedZoneId: config.ROUTE53_HOSTED_ZONE_ID as string,
      ...(config.ROUTE53_ENDPOINT === undefined ? {} : { endpoint: config.ROUTE53_ENDPOINT }),
    });
    return { dnsZone: new Route53DnsZone(client), challengeZone: new Route53ChallengeZone(client) };
  }
  if (config.DNS_PROVIDER === 'rfc2136') {
    const options = {
      server: config.RFC2136_SERVER as NonNullable<Config['RFC2136_SERVER']>,
      zone: config.RFC2136_ZONE ?? config.PLATFORM_DOMAIN,
      key: {
        name: config.RFC2136_KEY_NAME as string,
        secret: config.RFC2136_KEY_SECRET as Buffer,
        algorithm: config.RFC2136_KEY_ALGORITHM,
      },
    };
    return { dnsZone: new Rfc2136DnsZone(options), challengeZone: new Rfc2136ChallengeZone(options) };
  }
  const options = { controlUrl: config.EMBEDDED_DNS_URL as string, token: config.EMBEDDED_DNS_TOKEN as string };
  return { dnsZone: new EmbeddedDnsZone(options), challengeZone: new EmbeddedChallengeZone(options) };
}

export function hostnamePolicy(config: Config): HostnamePolicy {
  return new HostnamePolicy({
    domain: config.PLATFORM_DOMAIN,
    cdnHostname: config.CDN_HOSTNAME,
    challengeZone: config.ACME_ZONE,
    edgePort: config.EDGE_PORT,
    edgeTlsPort: issuerOf(config) === 'acme' ? config.EDGE_TLS_PORT : undefined,
    reserved: config.RESERVED_SUBDOMAINS.map((label) => label.toLowerCase()),
  });
}
