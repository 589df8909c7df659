import { type Database, createDatabase, migrate } from '@homeport/platform/server/database';
import { PostgresPool } from '@homeport/platform/server/postgres';
import { HealthMonitor } from '@homeport/platform/server/health';
import { createClientConnectionResolver } from '@homeport/platform/server/network';
import type { LoadShedder } from '@homeport/platform/server/node-http';
import { SecretBox } from '@homeport/platform/server/secrets';
import { freshDatabase } from '@homeport/platform/server/testing';
import { PostgresSiteChangeFeed } from '../routing/adapters/postgres/postgres-site-change-feed';
import { PostgresSiteDirectory } from '../routing/adapters/postgres/postgres-site-directory';
import type { RuntimeClient } from '../routing/adapters/http/runtime-client';
import type { BlobStore } from '@homeport/platform/server/blobs';
import { Edge } from '../edge';
import { SiteHostnames, type SiteRules } from '@homeport/hosting/contracts';
import { PostgresCertificateChangeFeed } from '../tls/adapters/postgres/postgres-certificate-change-feed';
import { PostgresCertificateDirectory } from '../tls/adapters/postgres/postgres-certificate-directory';
import { CertificateSeeder, TEST_SECRETS_KEY } from './certificate-seeder';
import { SiteSeeder } from './site-seeder';
import { TestAuthority } from './test-authority';
import { appsDatabaseOptions } from '@homeport/apps/server/testing';
import { NAVIGATION_HEADERS, visit, type VisitResponse, type VisitOptions } from './visit';

export const DOMAIN = 'apps.localhost';

/** Issues the certificates of tests. */
export const AUTHORITY = new TestAuthority();

const HOSTNAMES = new SiteHostnames(DOMAIN);

type Files = Parameters<SiteSeeder['show']>[1];
type Headers = Readonly<Record<string, string>>;

let count = 0;

/** An edge in this process that tests can send requests to. */
export class EdgeFixture {
  readonly port: number;
  readonly edge: Edge;
  /** Undefined without TLS. */
  readonly tlsPort: number | undefined;
  /** Logged errors and warnings. */
  readonly errors: readonly unknown[];
  /** Writes certificates directly to PostgreSQL. */
  readonly certificates: CertificateSeeder;
  readonly #pool: PostgresPool;

  constructor(
    running: Pick<EdgeFixture, 'port' | 'edge' | 'errors'> & { readonly pool: PostgresPool },
    /** Writes directly to PostgreSQL, also when the edge cannot reach it. */
    readonly sites: SiteSeeder,
  ) {
    this.port = running.port;
    this.edge = running.edge;
    this.tlsPort = running.edge.tlsPort;
    this.certificates = new CertificateSeeder((sql, values) => sites.query(sql, values));
    this.errors = running.errors;
    this.#pool = running.pool;
  }

  async close(): Promise<void> {
    await this.edge.close(0);
    await this.#pool.close();
  }

  at(host: string, target = '/', options?: VisitOptions): Promise<VisitResponse> {
    return visit(this.port, { host, target }, options);
  }

  /** Visits a host by https. */
  secure(host: string, target = '/', options: VisitOptions = {}): Promise<VisitResponse> {
    return visit(this.tlsPort ?? 0, { host, target }, { ca: AUTHORITY.root, ...options });
  }

  /** Creates an app with a deploy, and functions that request it. */
  async opened(files: Files, rules?: SiteRules) {
    const label = `shop-${process.pid}-${count++}`;
    const app = await this.sites.app(label);
    const deploy = await this.sites.show(app, files, rules);
    const host = `${label}.${DOMAIN}`;
    const get = (target?: string, headers: Headers = {}) => this.at(host, target, { headers });
    /** Sends a navigation request, like a person who opens an address. */
    const open = (target: string) => get(target, NAVIGATION_HEADERS);
    return { app, label, deploy, host, get, open };
  }

  /** Creates an app at an own domain with a certificate. @returns the names and ids. */
  async openedAt(name: string, files: Files = { 'index.html': 'home' }, rules?: SiteRules) {
    const { app, label } = await this.opened(files, rules);
    const claimId = await this.sites.domain(name, { appId: app });
    const certificateId = await this.certificates.add(AUTHORITY.issue([name]), { claimId });
    return { app, label, claimId, certificateId };
  }

  /** Repeats a request until the response is as expected. The test's own time limit applies. */
  async until(host: string, target: string, isExpected: (answer: VisitResponse) => boolean): Promise<VisitResponse> {
    for (;;) {
      const answer = await this.at(host, target);
      if (isExpected(answer)) return answer;
    }
  }
}

export interface EdgeFixtureOptions {
  readonly cacheBytes?: number;
  /** Runs the servers of SSR apps. */
  readonly runtime?: RuntimeClient;
  readonly trustedProxies?: readonly string[];
  /** Terminates TLS on a second port. */
  readonly tls?: boolean;
  /** Refuses lookups in an overload. */
  readonly shedder?: Pick<LoadShedder, 'admit'>;
  /** Called when a health check finds a dependency down. */
  readonly onDown?: () => void;
}

/** Starts edges in this process, over one new database. */
export class EdgeFixtures {
  #fresh: Awaited<ReturnType<typeof freshDatabase>> | undefined;
  #seeding: Database | undefined;
  readonly #fixtures: EdgeFixture[] = [];

  constructor(private readonly blobs: BlobStore) {}

  /** Creates the database. @returns its address. */
  async prepare(): Promise<string> {
    this.#fresh = await freshDatabase();
    await migrate(appsDatabaseOptions(this.#fresh.url));
    this.#seeding = await createDatabase(appsDatabaseOptions(this.#fresh.url)).open();
    return this.#fresh.url;
  }

  /** The address of the database. */
  get url(): string {
    return this.#fresh?.url ?? '';
  }

  /**
   * Starts an edge and resolves when it listens.
   * @param url the address under which the edge reaches PostgreSQL.
   */
  async open(
    url: string,
    { cacheBytes = 8 * 1024 * 1024, onDown, trustedProxies = [], tls = false, ...more }: EdgeFixtureOptions = {},
  ): Promise<EdgeFixture> {
    const { blobs } = this;
    const errors: unknown[] = [];
    const onError = (error: unknown) => void errors.push(error);
    const pool = new PostgresPool({ url, poolSize: 4, applicationName: 'homeport-edge' });
    const directory = new PostgresSiteDirectory(pool, HOSTNAMES);
    const outages = { failed: () => onDown?.(), succeeded: () => undefined };
    const health = new HealthMonitor({
      probes: [
        { name: 'postgres', gates: true, outages, check: () => directory.ready() },
        { name: 'storage', gates: false, outages, check: (signal) => blobs.ready(signal) },
      ],
    });
    const edge = new Edge({
      hostnames: HOSTNAMES,
      directory,
      changes: new PostgresSiteChangeFeed({ url, hostnames: HOSTNAMES }),
      blobs,
      cacheBytes,
      health,
      ...more,
      connectionOf: createClientConnectionResolver(trustedProxies),
      log: { warn: onError, error: onError },
      tls: tls
        ? {
            port: 0,
            directory: new PostgresCertificateDirectory(pool, new SecretBox([TEST_SECRETS_KEY])),
            changes: new PostgresCertificateChangeFeed(url),
            ticketSecret: TEST_SECRETS_KEY.key,
          }
        : undefined,
    });
    const port = await edge.open(0, '127.0.0.1');
    await health.waitForFirstChecks();
    const fixture = new EdgeFixture(
      { port, edge, errors, pool },
      new SiteSeeder(this.#seeding as Database, this.blobs),
    );
    this.#fixtures.push(fixture);
    return fixture;
  }

  /** Closes all edges and drops the database. */
  async drop(): Promise<void> {
    for (const fixture of this.#fixtures) await fixture.close();
    await this.#seeding?.close();
    await this.#fresh?.drop();
  }
}
