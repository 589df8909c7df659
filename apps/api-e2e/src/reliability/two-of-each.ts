import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { App } from '@homeport/apps/contracts';
import type { ApiFixture } from '../apps/api-fixture';
import { DeployClient } from '../apps/deploy-client';
import type { MemberClient } from '../apps/member-client';
import { visit } from '../apps/visit';
import { type Balancer, InstancePair, SHUTDOWN_NOTICE_MS, type StartBalancer } from '../load-balancers';
import { type ProductProcess, spawnApi, spawnEdge, spawnRuntime } from '../product-processes';
import { startOrClose, until } from '../suites';
import type { TrafficCall } from '../traffic';

const SERVER = `require('node:http').createServer((request, response) => response.end('served')).listen(process.env.PORT);`;

export interface TwoOfEachOptions {
  readonly fixture: ApiFixture;
  readonly balancer: StartBalancer;
  /** Settings of all programs besides those of the fixture. */
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * Two instances of API, edge and runtime behind load balancers, with a static site and an SSR app. Each edge shares a
 * machine with a runtime.
 */
export class TwoOfEach {
  readonly #parts = new AsyncDisposableStack();
  readonly #started: ProductProcess[] = [];
  apis!: InstancePair;
  hosts!: InstancePair;
  apiBalancer!: Balancer;
  edgeBalancer!: Balancer;
  member!: MemberClient;
  site!: App;
  server!: App;

  private constructor(private readonly options: TwoOfEachOptions) {}

  static start(options: TwoOfEachOptions): Promise<TwoOfEach> {
    return startOrClose(new TwoOfEach(options), (product) => product.#start());
  }

  /** The address of the API through its load balancer. */
  get base(): string {
    return `http://127.0.0.1:${this.apiBalancer.port}`;
  }

  /** @param release the folder of another release. */
  async startApi(port: number, release?: string) {
    const api = await spawnApi(this.#env, port, release === undefined ? {} : { release });
    this.#started.push(api);
    return api;
  }

  /** Starts an edge and the runtime that it uses. @param release the folder of another release. */
  async startHost(port: number, release?: string) {
    const folder = await mkdtemp(join(tmpdir(), 'hp-host-'));
    await chmod(folder, 0o711);
    const options = release === undefined ? {} : { release };
    const runtime = await spawnRuntime(folder, this.#env, options);
    this.#started.push(runtime);
    const edge = await spawnEdge({ ...this.#env, RUNTIME_DIR: folder }, port, options);
    this.#started.push(edge);
    const stop = async () => {
      await edge.stop();
      await runtime.stop();
      await rm(folder, { recursive: true, force: true });
    };
    return { stop };
  }

  /** The paths of the programs that run now. */
  get programs(): readonly string[] {
    return this.#running.map(({ main }) => main);
  }

  /** How the programs that do not run any more ended: 0 when they stopped by themselves. */
  get endings(): readonly (number | string | null)[] {
    return this.#started.filter((each) => !each.isAlive()).map((each) => each.ending());
  }

  get failedShutdownSteps(): readonly string[] {
    return this.#started.flatMap((each) => each.failedShutdownSteps());
  }

  get #running(): readonly ProductProcess[] {
    return this.#started.filter((each) => each.isAlive());
  }

  async inUse(): Promise<void> {
    await Promise.all([this.apiBalancer.usesBoth(), this.edgeBalancer.usesBoth()]);
  }

  /** A call of a person; `expected` is empty. */
  call(method: TrafficCall['method'], path: string, body?: string): TrafficCall {
    const headers = { authorization: `Bearer ${this.member.token}` };
    return { method, path, headers, expected: [], ...(body !== undefined && { body }) };
  }

  visit(app: App): TrafficCall {
    return { method: 'GET', path: '/', headers: { host: new URL(app.url).host }, expected: [200] };
  }

  close(): Promise<void> {
    return this.#parts.disposeAsync();
  }

  async #start(): Promise<void> {
    const { fixture, balancer } = this.options;
    // Those of a pair whose second instance did not start.
    this.#parts.defer(async () => {
      await Promise.all(this.#running.map((each) => each.kill()));
    });
    // The edges wait for the tables that the API creates.
    this.apis = await InstancePair.start((port) => this.startApi(port));
    this.#parts.defer(() => this.apis.stop());
    this.hosts = await InstancePair.start((port) => this.startHost(port));
    this.#parts.defer(() => this.hosts.stop());
    this.apiBalancer = await balancer(this.apis.addresses);
    this.#parts.defer(() => this.apiBalancer.close());
    this.edgeBalancer = await balancer(this.hosts.addresses);
    this.#parts.defer(() => this.edgeBalancer.close());
    await this.inUse();
    this.member = await fixture.member('pair');
    const deployer = new DeployClient(this.member.token, this.base);
    this.site = await deployed(deployer, { 'index.html': 'x'.repeat(4_096) });
    this.server = await deployed(deployer, { 'server.js': SERVER });
    // Both edges have read them.
    for (const app of [this.site, this.server, this.site, this.server]) {
      await until(async () => (await visit(app.url, { port: this.edgeBalancer.port })).status === 200);
    }
  }

  get #env(): Record<string, string> {
    return { ...this.options.fixture.env, ...this.options.env, SHUTDOWN_NOTICE_MS };
  }
}

async function deployed(deployer: DeployClient, files: Readonly<Record<string, string>>): Promise<App> {
  const app = await deployer.register('Pair', 'server.js' in files ? 'ssr' : 'static');
  const { status } = await deployer.deploy(app.id, files);
  if (status !== 201) throw new Error(`The deploy was answered with ${status}.`);
  return app;
}
