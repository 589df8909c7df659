import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Route53Double, Route53DoubleOptions } from '@homeport/apps/server/testing/route53/route53-double';
import {
  type NameServerOptions,
  type RunningNameServer,
  type Services,
  nameServerSettings,
  startServices,
} from '@homeport/dev-services';
import { TestIssuer } from '@homeport/identity/server/testing/test-issuer';
import { freshDatabase } from '@homeport/platform/server/testing';
import { type ApiProcess, spawnApi, type EdgeProcess, spawnEdge } from '../product-processes';
import { settings } from '../homeport';
import { MemberClient } from './member-client';
import { embeddedZone, type ReadZone } from './zone-checks';

export const DOMAIN = 'apps.localhost';
export const EDGE_HOSTNAME = 'edge.localhost';

export type StartNameServer = (options: NameServerOptions) => Promise<RunningNameServer>;

type Settings = Readonly<Record<string, string>>;

/**
 * The environment that the APIs of a test share: an empty database, a DNS zone, and a token issuer for any
 * organization.
 */
export class ApiFixture {
  readonly #processes = new Set<ApiProcess | EdgeProcess>();
  readonly #started = new AsyncDisposableStack();
  #env: Settings = {};

  private constructor(private readonly issuer: TestIssuer) {}

  /** @param database the test's own database; default: a new one on the shared PostgreSQL server. */
  static async open(database?: string): Promise<ApiFixture> {
    const issuer = await TestIssuer.start();
    const fixture = new ApiFixture(issuer);
    fixture.#started.defer(() => issuer.stop());
    const fresh = database === undefined ? await freshDatabase() : undefined;
    if (fresh) fixture.#started.defer(() => fresh.drop());
    fixture.#env = {
      DATABASE_URL: database ?? (fresh?.url as string),
      // Several APIs share the connections of one server.
      DATABASE_POOL_SIZE: '8',
      AUTH_ISSUER: issuer.url,
      AUTH_JWKS_URI: issuer.jwksUri,
      AUTH_AUDIENCE: issuer.audience,
      AUTH_CLIENT_ID: '',
      PLATFORM_DOMAIN: DOMAIN,
      CDN_HOSTNAME: EDGE_HOSTNAME,
    };
    return fixture;
  }

  /** Starts a dedicated embedded DNS server. */
  async embeddedDns(): Promise<ReadZone> {
    const dataDir = await mkdtemp(join(tmpdir(), 'homeport-dns-'));
    const { env, close } = await dnsIn(dataDir);
    this.#started.defer(async () => {
      await close();
      await rm(dataDir, { recursive: true, force: true });
    });
    this.#env = { ...this.#env, ...env };
    return embeddedZone(env['EMBEDDED_DNS_URL'] as string, env['EMBEDDED_DNS_TOKEN'] as string);
  }

  async route53(options: Route53DoubleOptions = {}): Promise<Route53Double> {
    // Loaded here because it loads the AWS SDK, which the other tests do not need.
    const { Route53Double } = await import('@homeport/apps/server/testing/route53/route53-double');
    const double = new Route53Double({ domain: DOMAIN, ...options });
    const endpoint = await double.listen();
    this.#started.defer(() => double.close());
    const keys = { AWS_ACCESS_KEY_ID: 'double', AWS_SECRET_ACCESS_KEY: 'double' };
    const more = { DNS_PROVIDER: 'route53', ROUTE53_HOSTED_ZONE_ID: 'Z1', ROUTE53_ENDPOINT: endpoint, ...keys };
    this.#env = { ...this.#env, ...more };
    return double;
  }

  /** Starts a third-party name server that accepts signed updates, with a new zone. */
  async nameServer(start: StartNameServer, options: NameServerOptions = {}): Promise<RunningNameServer> {
    const server = await start({ domain: DOMAIN, ...options });
    this.#started.defer(() => server.close());
    this.#env = { ...this.#env, ...nameServerSettings(server) };
    return server;
  }

  /** The settings of everything opened so far. */
  get env(): Settings {
    return this.#env;
  }

  /** Starts an API with the settings of everything opened so far. */
  async api(more: Settings = {}): Promise<ApiProcess> {
    const api = await spawnApi({ ...this.#env, ...more });
    this.#processes.add(api);
    return api;
  }

  /** Starts an edge for the apps of the same database. */
  async edge(more: Settings = {}): Promise<EdgeProcess> {
    const edge = await spawnEdge({ ...this.#env, ...more });
    this.#processes.add(edge);
    return edge;
  }

  /** @param claims replace claims of the valid token. */
  async member(
    organization: string,
    subject = 'one',
    claims: Readonly<Record<string, unknown>> = {},
  ): Promise<MemberClient> {
    const exp = Math.floor(Date.now() / 1_000) + 6 * 3_600;
    const token = await this.issuer.token({ sub: `${organization}-${subject}`, org_id: organization, exp, ...claims });
    return new MemberClient(organization, token);
  }

  async close(): Promise<void> {
    // No request is pending, so stopping gracefully would only take longer.
    await Promise.all([...this.#processes].map((each) => each.kill()));
    await this.#started.disposeAsync();
  }
}

async function dnsIn(dataDir: string): Promise<Services> {
  return startServices({
    dataDir,
    publicUrl: 'http://localhost',
    ports: { dns: 0 },
    env: { ...settings, EMBEDDED_DNS_URL: '' },
  });
}

/** Log lines of a fatal error, and lines that are not log entries. */
export function fatalLogLines(api: ApiProcess): string[] {
  return api.errorLines().filter((line) => !line.startsWith('{') || line.includes('"level":60'));
}
