import { type AppsOptions, ObservedDnsZone } from '@homeport/apps/server';
import { SiteHostnames } from '@homeport/hosting/contracts';
import { PostgresSiteDirectory } from '@homeport/hosting/server';
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
import { RateLimit } from '@homeport/platform/server/limits';
import { callObserver, OutageLog } from '@homeport/platform/server/observability';
import type { Tracing } from '@homeport/platform/server/tracing';
import { s3OptionsOf } from '@homeport/platform/server/config';
import { PostgresChargeLedger, PostgresPriceRevisions, PriceBook, type PricingOptions } from '@homeport/pricing/server';
import type { UsageOptions } from '@homeport/usage/server';
import type { Logger } from 'pino';
import { AppsOfOrganizations } from './apps-of-organizations';
import { appsOptions, dnsZonesFor } from './apps-options';
import type { Config } from './config';
import { databaseOptions } from './database-options';
import type { ApiObserver } from './observe-api';
import { browserSignIn } from './sign-in-adapters';
import { ROUTE_POLICIES } from './route-policies';
import { usageOptions } from './usage-options';

/** The memory for all uploads together: four parts. */
const UPLOAD_MEMORY_BYTES = 32 * 1024 * 1024;
/** The PostgreSQL connections reserved for the job queue and the jobs of usage. */
const BACKGROUND_CONNECTIONS = 2;
/** Enqueued runs of the same second are stored once, so that one connection suffices. */
const ENQUEUING_CONNECTIONS = 1;

/** For dependencies without which the instance is not ready. */
const GATING = { gates: true } as const;
/** For dependencies that are reported but do not affect readiness. */
const REPORTED = { gates: false } as const;

/** The logger for outages of dependencies. */
export type OutageLogger = Pick<Logger, 'warn' | 'info'>;

/** The adapters and settings of all modules. */
export interface Adapters {
  readonly database: Database;
  readonly background: Database;
  /** A separate connection, because callers may enqueue within a transaction, and must not wait for running jobs. */
  readonly enqueuing: Database;
  readonly jobs: JobQueue;
  readonly apps: AppsOptions;
  readonly files: FilesOptions;
  readonly identity: IdentityOptions;
  readonly pricing: PricingOptions;
  readonly usage: UsageOptions;
  readonly probes: readonly HealthProbe[];
  /** The sites that the edge serves. */
  readonly sites: PostgresSiteDirectory;
}

/** All connection pools, which are opened at the start and closed at the end. */
export function databasesOf({ database, background, enqueuing }: Adapters): readonly Database[] {
  return [database, background, enqueuing];
}

function poolsOf(config: Config, outages: OutageLog): Pick<Adapters, 'database' | 'background' | 'enqueuing'> {
  const options = databaseOptions(config);
  const ofSize = (poolSize: number) => createDatabase({ ...options, outages, poolSize });
  return {
    database: ofSize(Math.max(1, options.poolSize - BACKGROUND_CONNECTIONS - ENQUEUING_CONNECTIONS)),
    background: ofSize(BACKGROUND_CONNECTIONS),
    enqueuing: ofSize(ENQUEUING_CONNECTIONS),
  };
}

/** What watches the calls of dependencies. */
interface Observers {
  /** Undefined without metrics. */
  readonly observer?: ApiObserver | undefined;
  /** Undefined without tracing. */
  readonly tracing?: Tracing | undefined;
}

/** The composition root: selects the adapter for each port. */
export function adaptersFor(config: Config, log: OutageLogger, { observer, tracing }: Observers = {}): Adapters {
  const onCall = callObserver(observer?.onCall, tracing?.onCall);
  const databaseOutages = new OutageLog('postgres', log, { onCall });
  const storageOutages = new OutageLog('storage', log, { onCall });
  const pools = poolsOf(config, databaseOutages);
  const { database, background, enqueuing } = pools;
  const jobs = new JobQueue({
    database: background.source,
    enqueuing,
    outages: { database: databaseOutages, jobs: new OutageLog('background-jobs', log, { withStack: true }) },
    onRun: observer?.onJobRun,
    onStored: (durationMs) => database.recordStatement(durationMs),
  });
  const memory = new MemoryBudget(UPLOAD_MEMORY_BYTES);
  const objectStore = new ObservedObjectStore(new S3ObjectStore(s3OptionsOf(config), memory), storageOutages);
  const dnsOutages = new OutageLog('dns', log, { onCall });
  const intervalMs = dnsIntervalMs(config);
  const { challengeZone, ...zones } = dnsZonesFor(config);
  const dnsZone = new ObservedDnsZone(zones.dnsZone, dnsOutages);
  const sessionBox = new SealedBox(config.SESSION_KEYS);
  const pricing = pricingOptions(database);
  const stores = { database, databaseOutages, storageOutages, priceBook: pricing.priceBook };
  const apps = appsOptions(config, { ...stores, jobs, dnsZone, challengeZone, log, onCall });
  const tokens = tokensOptions(config, { database, log, apps });
  const identity = identityOptions(config, { database, log, box: sessionBox, tokens, onCall });
  return {
    ...pools,
    jobs,
    apps,
    files: {
      objectStore,
      memory,
      maxBytes: config.FILES_MAX_BYTES,
      cursorKeys: config.cursorKeys,
      ticketSealer: sessionBox,
    },
    identity,
    pricing,
    usage: usageOptions(config, { database, background, jobs, pricing, objectStore, log }),
    probes: [
      { ...GATING, name: 'postgres', outages: databaseOutages, check: () => database.ready() },
      { ...GATING, name: 'signing-keys', check: () => identity.keySet.ready() },
      { ...REPORTED, name: 'storage', outages: storageOutages, check: (signal) => objectStore.ready(signal) },
      { ...REPORTED, name: 'dns', outages: dnsOutages, check: (signal) => dnsZone.ready(signal), intervalMs },
    ],
    sites: siteDirectory(config, database),
  };
}

function pricingOptions(database: Database): PricingOptions {
  const priceRevisions = new PostgresPriceRevisions(database);
  return {
    priceBook: new PriceBook(priceRevisions),
    priceRevisions,
    chargeLedger: new PostgresChargeLedger(database),
  };
}

function siteDirectory({ PLATFORM_DOMAIN }: Config, database: Database): PostgresSiteDirectory {
  const query = <Row>(text: string, values: unknown[] = []) =>
    database.run((manager) => manager.query<Row[]>(text, values));
  return new PostgresSiteDirectory({ query }, new SiteHostnames(PLATFORM_DOMAIN));
}

interface IdentityDependencies {
  readonly database: Database;
  readonly log: OutageLogger;
  readonly onCall: ApiObserver['onCall'] | undefined;
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

function identityOptions(
  config: Config,
  { database, log, box, tokens, onCall }: IdentityDependencies,
): IdentityOptions {
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
      outages: new OutageLog('signing-keys', log, { onCall }),
    }),
    access: {
      policies: ROUTE_POLICIES,
      perUser: config.RATE_LIMIT_PER_USER,
      perAddress: config.RATE_LIMIT_PER_ADDRESS,
      creations: new RateLimit('creation', config.RATE_LIMIT_CREATIONS, (text, values) =>
        database.run((manager) => manager.query<unknown[]>(text, values)),
      ),
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
