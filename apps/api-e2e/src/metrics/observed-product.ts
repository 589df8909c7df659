import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, type RunningPrometheus, startPrometheus, startServices } from '@homeport/dev-services';
import pg from 'pg';
import { ApiFixture } from '../apps/api-fixture';
import type { MemberClient } from '../apps/member-client';
import { settings } from '../homeport';
import { LoggedProcess } from '../logged-process';
import { type EdgeProcess, type ProductProcess, spawnRuntime } from '../product-processes';
import { queryOnce } from '../reliability/query-once';
import { TcpFaultProxy } from '../reliability/tcp-fault-proxy';
import { startOrClose, until } from '../suites';
import { type QuickRuleOptions, quickRules } from './alert-rules';
import { canLimitDisk, onSmallDisk } from './small-disk';

/** Long enough for a scrape of a process that is paused for most of a second. */
const SCRAPE_MS = 1_000;
const LOCK_SECONDS = 0.6;
const PORTS = ['api', 'smallApi', 'edge', 'runtime', 'tls'] as const;

type Settings = Readonly<Record<string, string>>;
type Ports = Readonly<Record<(typeof PORTS)[number], string>>;

/** API, edge and runtime with certificates, a receiver of notices and a storage that a test can slow down. */
export class ObservedProduct {
  readonly #started = new AsyncDisposableStack();
  #ports!: Ports;
  #env: Settings = {};
  #edgeEnv: Settings = {};
  fixture!: ApiFixture;
  member!: MemberClient;
  /** The storage of the edge. */
  storage!: TcpFaultProxy;
  edge!: EdgeProcess;
  runtime!: ProductProcess;
  prometheus!: RunningPrometheus;
  /** The addresses of the APIs. The second one has little space for usage that is not delivered. */
  readonly apiUrls: string[] = [];

  private constructor(private readonly rules: QuickRuleOptions) {}

  static start(rules: QuickRuleOptions): Promise<ObservedProduct> {
    return startOrClose(new ObservedProduct(rules), (product) => product.#start());
  }

  /** Starts another edge in place of the killed one, for the same target of Prometheus. */
  async restartEdge(): Promise<void> {
    await this.edge.kill();
    this.edge = await this.fixture.edge(this.#edgeEnv);
  }

  /** The management address of the API that has little space. */
  get smallTarget(): string {
    return `127.0.0.1:${this.#ports.smallApi}`;
  }

  /** Whether an alert fires. @param labels that it has, besides others. */
  async isFiring(name: string, labels: Settings = {}): Promise<boolean> {
    const alerts = await this.prometheus.firing();
    const isMeant = (found: Settings) => Object.entries(labels).every(([key, value]) => found[key] === value);
    return alerts.some((alert) => alert.name === name && isMeant(alert.labels));
  }

  fires(name: string, labels: Settings = {}): Promise<void> {
    return until(() => this.isFiring(name, labels));
  }

  recovers(name: string, labels: Settings = {}): Promise<void> {
    return until(async () => !(await this.isFiring(name, labels)));
  }

  query<Row extends object>(sql: string): Promise<Row[]> {
    return queryOnce<Row>(this.#url, sql);
  }

  /** Does something while a transaction is open, such as one of an abandoned session that holds locks. */
  async duringTransaction(statement: string, work: () => Promise<unknown>): Promise<void> {
    const client = new pg.Client({ connectionString: this.#url });
    await client.connect();
    try {
      await client.query(`begin; ${statement}`);
      await work();
    } finally {
      await client.end();
    }
  }

  /** Locks a table most of the time while something is done: each statement waits less than its limit of a second. */
  async lockedAgainAndAgain(table: string, work: () => Promise<unknown>): Promise<void> {
    const client = new pg.Client({ connectionString: this.#url });
    await client.connect();
    let isOver = false;
    const lock = async () => {
      const sql = `begin; lock table ${table}; select pg_sleep(${LOCK_SECONDS}); commit`;
      while (!isOver) await client.query(sql);
    };
    const locking = lock();
    try {
      await work();
    } finally {
      isOver = true;
      await locking;
      await client.end();
    }
  }

  close(): Promise<void> {
    return this.#started.disposeAsync();
  }

  get #url(): string {
    return this.fixture.env['DATABASE_URL'] as string;
  }

  async #start(): Promise<void> {
    this.fixture = await ApiFixture.open();
    this.#started.defer(() => this.fixture.close());
    await this.fixture.embeddedDns();
    const ports = await Promise.all(PORTS.map(async (name) => [name, String(await freePort())]));
    this.#ports = Object.fromEntries(ports) as Ports;
    this.#env = { ...this.fixture.env, ...(await this.#services()), USAGE_SPOOL_DIR: await this.#folder('hp-usage-') };
    const api = await this.fixture.api({ ...this.#env, MANAGEMENT_PORT: this.#ports.api });
    this.apiUrls.push(api.url);
    if (canLimitDisk) await this.#addSmallApi();
    this.member = await this.fixture.member('observed');
    await this.#startHost();
    await this.#startPrometheus();
  }

  async #addSmallApi(): Promise<void> {
    const folder = await this.#folder('hp-small-');
    const port = String(await freePort());
    const url = `http://127.0.0.1:${port}`;
    const own = { PORT: port, HOST: '127.0.0.1', PUBLIC_URL: url, MANAGEMENT_PORT: this.#ports.smallApi };
    const env = { ...settings, ...this.#env, ...own, USAGE_SPOOL_DIR: folder, LOG_LEVEL: 'info' };
    const api = new LoggedProcess('api', env, onSmallDisk(folder));
    this.#started.defer(() => api.stop());
    await api.line(({ msg }) => msg === 'listening');
    this.apiUrls.push(url);
  }

  /** An authority whose certificates expire soon, and a receiver that refuses notices. */
  async #services(): Promise<Settings> {
    const { env, close } = await startServices({
      dataDir: await this.#folder('hp-acme-'),
      publicUrl: 'http://localhost',
      env: { ...settings, ACME_CERTIFICATE_DAYS: '10' },
      hasCertificates: true,
    });
    this.#started.defer(close);
    const acme = Object.fromEntries(Object.entries(env as Settings).filter(([name]) => name.startsWith('ACME_')));
    const receiver = createServer((_request, response) => response.writeHead(503).end());
    await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done));
    this.#started.defer(() => closed(receiver));
    const notices = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/budgets`;
    const key = Buffer.alloc(32, 'k').toString('base64');
    const tls = { EDGE_TLS_PORT: this.#ports.tls };
    return { ...acme, ...tls, USAGE_NOTICES_URL: notices, USAGE_NOTICES_KEYS: key };
  }

  async #startHost(): Promise<void> {
    const folder = await this.#folder('hp-host-');
    await chmod(folder, 0o711);
    this.runtime = await spawnRuntime(folder, { ...this.#env, MANAGEMENT_PORT: this.#ports.runtime });
    this.#started.defer(() => this.runtime.stop());
    this.storage = await TcpFaultProxy.to(settings['S3_ENDPOINT'] as string);
    this.#started.defer(() => this.storage.stop());
    this.#edgeEnv = {
      ...this.#env,
      RUNTIME_DIR: folder,
      S3_ENDPOINT: this.storage.url,
      MANAGEMENT_PORT: this.#ports.edge,
    };
    this.edge = await this.fixture.edge(this.#edgeEnv);
    this.#started.defer(() => this.edge.kill());
  }

  async #startPrometheus(): Promise<void> {
    const { api, edge, runtime } = this.#ports;
    const targets = {
      'homeport-api': [`127.0.0.1:${api}`, ...(canLimitDisk ? [this.smallTarget] : [])],
      'homeport-edge': `127.0.0.1:${edge}`,
      'homeport-runtime': `127.0.0.1:${runtime}`,
    };
    this.prometheus = await startPrometheus({ targets, rules: quickRules(this.rules), intervalMs: SCRAPE_MS });
    this.#started.defer(() => this.prometheus.close());
  }

  async #folder(prefix: string): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), prefix));
    this.#started.defer(() => rm(folder, { recursive: true, force: true }));
    return folder;
  }
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((done) => server.close(() => done()));
}
