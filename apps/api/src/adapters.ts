import { APP_TYPES } from '@homeport/apps/contracts';
import {
  type ArchiveLimits,
  type AppsOptions,
  DnsDomainResolver,
  type DnsZone,
  EmbeddedDnsZone,
  ObservedDnsZone,
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
  Rfc2136DnsZone,
  type RuntimeFeed,
  Route53DnsZone,
  SpooledArchiveReader,
} from '@homeport/apps/server';
import { ObservedBlobStore } from '@homeport/platform/server/blobs';
import { S3BlobStore } from '@homeport/platform/server/storage';
import { type FilesOptions, MemoryBudget, ObservedObjectStore, S3ObjectStore } from '@homeport/files/server';
import {
  discoverJwksUri,
  type IdentityOptions,
  JwksKeySet,
  PostgresIdentityUnitOfWork,
  PostgresSessionStore,
  PostgresTokenRepository,
  PostgresTrustRepository,
  SealedBox,
  SessionCookies,
  SignInHandler,
  type TokensOptions,
} from '@homeport/identity/server';
import { OpenAccount, PostgresAccountRepository, PostgresAuditTrail } from '@homeport/organizations/server';
import { type Database, createDatabase } from '@homeport/platform/server/database';
import { type HealthProbe } from '@homeport/platform/server/health';
import { JobQueue } from '@homeport/platform/server/jobs';
import { OutageLog } from '@homeport/platform/server/observability';
import { s3OptionsOf } from '@homeport/platform/server/config';
import { PostgresChargeLedger, PostgresPriceRevisions, PriceBook, type PricingOptions } from '@homeport/pricing/server';
import type { Logger } from 'pino';
import { AppsOfOrganizations } from './apps-of-organizations';
import type { Config } from './config';
import { databaseOptions } from './database-options';
import { StatedDomainPrices } from './stated-domain-prices';
import { browserSignIn } from './sign-in-adapters';
import { ROUTE_POLICIES } from './route-policies';

/** The memory for all uploads together: four parts. */
const UPLOAD_MEMORY_BYTES = 32 * 1024 * 1024;
/** The PostgreSQL connections reserved for the job queue. */
const BACKGROUND_CONNECTIONS = 2;

/** For dependencies without which the instance is not ready. */
const GATING = { gates: true } as const;
/** For dependencies that are reported but do not affect readiness. */
const REPORTED = { gates: false } as const;

/** The logger for outages of dependencies. */
export type OutageLogger = Pick<Logger, 'warn' | 'info'>;

/** The adapters and settings of all modules. */
export interface Adapters {
  readonly database: Database;
  /** Separate connections for the job queue, because callers may enqueue within a transaction on another connection. */
  readonly background: Database;
  readonly jobs: JobQueue;
  readonly apps: AppsOptions;
  readonly files: FilesOptions;
  readonly identity: IdentityOptions;
  readonly pricing: PricingOptions;
  readonly probes: readonly HealthProbe[];
}

/** The composition root: selects the adapter for each port. */
export function adaptersFor(config: Config, log: OutageLogger): Adapters {
  const databaseOutages = new OutageLog('postgres', log);
  const storageOutages = new OutageLog('storage', log);
  const options = { ...databaseOptions(config), outages: databaseOutages };
  const database = createDatabase({ ...options, poolSize: Math.max(1, options.poolSize - BACKGROUND_CONNECTIONS) });
  const background = createDatabase({ ...options, poolSize: BACKGROUND_CONNECTIONS });
  const jobs = new JobQueue({
    database: background.source,
    outages: { database: databaseOutages, jobs: new OutageLog('background-jobs', log, { withStack: true }) },
  });
  const memory = new MemoryBudget(UPLOAD_MEMORY_BYTES);
  const objectStore = new ObservedObjectStore(new S3ObjectStore(s3OptionsOf(config), memory), storageOutages);
  const dnsOutages = new OutageLog('dns', log);
  const dnsZone = new ObservedDnsZone(dnsZoneFor(config), dnsOutages);
  const sessionBox = new SealedBox(config.SESSION_KEYS);
  const priceRevisions = new PostgresPriceRevisions(database);
  const priceBook = new PriceBook(priceRevisions);
  const apps = appsOptions(config, { database, databaseOutages, jobs, dnsZone, storageOutages, priceBook });
  const tokens = tokensOptions(config, { database, log, apps });
  const identity = identityOptions(config, { database, log, box: sessionBox, tokens });
  return {
    database,
    background,
    jobs,
    apps,
    files: {
      objectStore,
      memory,
      maxBytes: config.FILES_MAX_BYTES,
      cursorKey: config.cursorKey,
      ticketSealer: sessionBox,
    },
    identity,
    pricing: {
      priceBook,
      priceRevisions,
      chargeLedger: new PostgresChargeLedger(database),
    },
    probes: [
      { ...GATING, name: 'postgres', outages: databaseOutages, check: () => database.ready() },
      { ...GATING, name: 'signing-keys', check: () => identity.keySet.ready() },
      { ...REPORTED, name: 'storage', outages: storageOutages, check: (signal) => objectStore.ready(signal) },
      {
        ...REPORTED,
        name: 'dns',
        outages: dnsOutages,
        check: (signal) => dnsZone.ready(signal),
        intervalMs: dnsIntervalMs(config),
      },
    ],
  };
}

interface AppsDependencies {
  readonly database: Database;
  readonly databaseOutages: OutageLog;
  readonly jobs: JobQueue;
  readonly dnsZone: DnsZone;
  readonly storageOutages: OutageLog;
  readonly priceBook: PriceBook;
}

function appsOptions(config: Config, dependencies: AppsDependencies): AppsOptions {
  const { database, databaseOutages, jobs, dnsZone } = dependencies;
  const runtimeFeed = new PostgresRuntimeFeed({ url: config.DATABASE_URL, outages: databaseOutages });
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
      resolver: new DnsDomainResolver({ resolvers: config.DOMAIN_RESOLVERS, isAllowed: isPublicAddress }),
      prices: new StatedDomainPrices(dependencies.priceBook),
      reservedHosts: [new URL(config.publicUrl).hostname],
      challengeZone: undefined,
      needsCertificate: false,
    },
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

interface IdentityDependencies {
  readonly database: Database;
  readonly log: OutageLogger;
  readonly box: SealedBox;
  readonly tokens: TokensOptions;
}

interface TokensDependencies {
  readonly database: Database;
  readonly log: OutageLogger;
  readonly apps: AppsOptions;
}

function tokensOptions(config: Config, { database, log, apps }: TokensDependencies): TokensOptions {
  return {
    unitOfWork: new PostgresIdentityUnitOfWork(database, (queries) => new PostgresAuditTrail(queries)),
    tokens: new PostgresTokenRepository(database),
    trusts: new PostgresTrustRepository(database),
    apps: new AppsOfOrganizations(apps.appRepository, apps.deploys.deployRepository),
    publicUrl: config.publicUrl,
    issuerNetworks: config.TRUST_ISSUER_NETWORKS,
    reportFailure: (error) => log.warn({ err: error }, 'the use of a token could not be stored'),
  };
}

function identityOptions(config: Config, { database, log, box, tokens }: IdentityDependencies): IdentityOptions {
  const openAccount = new OpenAccount(new PostgresAccountRepository(database), (error) =>
    log.warn({ err: error }, 'an account could not be created'),
  );
  const cookies = new SessionCookies(config.publicUrl, box);
  return {
    tokens,
    tokenRules: {
      issuer: config.AUTH_ISSUER,
      audience: config.AUTH_AUDIENCE,
      audienceClaim: config.AUTH_AUDIENCE_CLAIM,
      organizationClaim: config.AUTH_ORG_CLAIM,
      algorithms: config.AUTH_ALGORITHMS,
      clockSkewSeconds: config.AUTH_CLOCK_SKEW_S,
    },
    keySet: new JwksKeySet({
      jwksUri: async () => config.AUTH_JWKS_URI ?? (await discoverJwksUri(config.AUTH_ISSUER)),
      outages: new OutageLog('signing-keys', log),
    }),
    access: {
      policies: ROUTE_POLICIES,
      perUser: config.RATE_LIMIT_PER_USER,
      perAddress: config.RATE_LIMIT_PER_ADDRESS,
      trustedProxies: config.TRUSTED_PROXIES,
      onMemberCall: (organization) => void openAccount.execute(organization),
    },
    signInHandler: new SignInHandler(
      browserSignIn(config, new PostgresSessionStore(database, box), log),
      cookies,
      config.publicUrl,
    ),
  };
}

/** Route 53 allows five calls per second for the whole account, and record changes need them. */
function dnsIntervalMs({ DNS_PROVIDER }: Config): number {
  return DNS_PROVIDER === 'route53' ? 10_000 : 2_000;
}

/** The configuration guarantees that the settings of the selected provider are set. */
function dnsZoneFor(config: Config): DnsZone {
  if (config.DNS_PROVIDER === 'route53') {
    return new Route53DnsZone({
      hostedZoneId: config.ROUTE53_HOSTED_ZONE_ID as string,
      ...(config.ROUTE53_ENDPOINT === undefined ? {} : { endpoint: config.ROUTE53_ENDPOINT }),
    });
  }
  if (config.DNS_PROVIDER === 'rfc2136') {
    return new Rfc2136DnsZone({
      server: config.RFC2136_SERVER as NonNullable<Config['RFC2136_SERVER']>,
      zone: config.RFC2136_ZONE ?? config.PLATFORM_DOMAIN,
      key: {
        name: config.RFC2136_KEY_NAME as string,
        secret: config.RFC2136_KEY_SECRET as Buffer,
        algorithm: config.RFC2136_KEY_ALGORITHM,
      },
    });
  }
  return new EmbeddedDnsZone({
    controlUrl: config.EMBEDDED_DNS_URL as string,
    token: config.EMBEDDED_DNS_TOKEN as string,
  });
}

function hostnamePolicy(config: Config): HostnamePolicy {
  return new HostnamePolicy({
    domain: config.PLATFORM_DOMAIN,
    cdnHostname: config.CDN_HOSTNAME,
    edgePort: config.EDGE_PORT,
    reserved: config.RESERVED_SUBDOMAINS.map((label) => label.toLowerCase()),
  });
}

function deployLimits(config: Config): ArchiveLimits {
  return {
    archiveBytes: config.DEPLOY_MAX_BYTES,
    unpackedBytes: config.DEPLOY_MAX_INFLATED_BYTES,
    files: config.DEPLOY_MAX_FILES,
    fileBytes: config.DEPLOY_MAX_FILE_BYTES,
  };
}
