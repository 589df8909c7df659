import { randomBytes } from 'node:crypto';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from '@jest/globals';
import { type Child, freePort, type RunningNameServer, startDebianPostgres } from '@homeport/dev-services';
import { UNTRUSTED_CERTIFICATE } from '@homeport/platform/server/testing';
import { type SiteFiles, tarGz } from './apps/archives';
import { settings, signIn } from './homeport';
import { blockOf, environmentFile, type Places, replaced, startInstance } from './self-hosted-guide';
import { startOrClose, until } from './suites';

export const PRODUCT = 'homeport.example.com';
export const DOMAIN = 'apps.example.net';

/** Where the proxy of the guide listens, what it reads, and where it passes requests on. */
export interface ProxyPlan {
  readonly httpPort: number;
  readonly httpsPort: number;
  /** What replaces addresses and paths in the configuration of the proxy. */
  readonly places: Readonly<Record<string, string>>;
}

/** The programs that the guide lets operators choose. */
export interface GuideVariant {
  startNameServer(domain: string): Promise<RunningNameServer>;
  startProxy(plan: ProxyPlan): Promise<{ close(): Promise<void> }>;
  /** Whether the runtime of SSR apps runs. */
  readonly withRuntime: boolean;
}

const key = () => randomBytes(32).toString('base64');

/** Ceph where it is installed, as in the guide; otherwise the embedded server. */
function storage(): Record<string, string> {
  const prefix = settings['CEPH_ENDPOINT'] === undefined ? 'S3' : 'CEPH';
  const of = (name: string) => settings[`${prefix}_${name}`] as string;
  return {
    S3_ENDPOINT: of('ENDPOINT'),
    S3_BUCKET: settings['S3_BUCKET'] as string,
    S3_ACCESS_KEY_ID: of('ACCESS_KEY_ID'),
    S3_SECRET_ACCESS_KEY: of('SECRET_ACCESS_KEY'),
  };
}

interface Call {
  readonly method?: string;
  readonly type?: string;
  readonly body?: Uint8Array;
}

/** The product as docs/self-hosting.md installs it: two APIs and two edges behind a proxy. */
export class SelfHostedProduct {
  httpPort = 0;
  httpsPort = 0;
  readonly #started = new AsyncDisposableStack();
  #apiPorts: number[] = [];
  #edgePorts: number[] = [];
  #apis: Child[] = [];
  #edges: Child[] = [];
  #places!: Places;
  #token = '';

  static start(variant: GuideVariant): Promise<SelfHostedProduct> {
    return startOrClose(new SelfHostedProduct(), (product) => product.#start(variant));
  }

  async #start(variant: GuideVariant): Promise<void> {
    const folder = await mkdtemp(join(tmpdir(), 'homeport-self-hosted-'));
    this.#started.defer(() => rm(folder, { recursive: true, force: true }));
    [this.#apiPorts, this.#edgePorts] = [await twoPorts(), await twoPorts()];
    [this.httpPort, this.httpsPort] = [await freePort(), await freePort()];
    this.#places = await this.#configure(folder, await this.#database(), await this.#nameServer(variant));
    await writeFile(join(folder, 'cert.pem'), UNTRUSTED_CERTIFICATE.cert);
    await writeFile(join(folder, 'cert.key'), UNTRUSTED_CERTIFICATE.key);
    const proxy = await variant.startProxy({
      httpPort: this.httpPort,
      httpsPort: this.httpsPort,
      places: this.#proxyPlaces(folder),
    });
    this.#started.defer(() => proxy.close());
    this.#apis = this.#apiPorts.map((port) => startInstance('api', this.#places, port));
    this.#edges = this.#edgePorts.map((port) => startInstance('edge', this.#places, port));
    const runtimes = variant.withRuntime ? [startInstance('runtime', this.#places)] : [];
    this.#started.defer(async () => {
      await Promise.all([...this.#apis, ...this.#edges, ...runtimes].map((each) => each.close()));
    });
    this.#token = (await signIn('ada')).token;
    await Promise.all([
      ...this.#apis.map((each, at) => isReady(each, this.#apiPorts[at] as number)),
      ...this.#edges.map((each, at) => isReady(each, this.#edgePorts[at] as number)),
    ]);
  }

  /** @returns the URL of the database that the SQL of the guide creates. */
  async #database(): Promise<string> {
    const password = randomBytes(16).toString('hex');
    const sql = replaced(blockOf('sql', 'create role'), { '<the database password>': password });
    const postgres = await startDebianPostgres(sql);
    this.#started.defer(() => postgres.close());
    return `postgres://homeport:${password}@127.0.0.1:${postgres.port}/homeport`;
  }

  async #nameServer({ startNameServer }: GuideVariant): Promise<RunningNameServer> {
    const server = await startNameServer(DOMAIN);
    this.#started.defer(() => server.close());
    return server;
  }

  async #configure(folder: string, DATABASE_URL: string, server: RunningNameServer): Promise<Places> {
    const common = environmentFile('/etc/homeport/common.env', { DATABASE_URL, ...storage() });
    const secretsKeys = `1:${key()}`;
    const api = environmentFile('/etc/homeport/api.env', {
      SESSION_KEYS: key(),
      SECRETS_KEYS: secretsKeys,
      AUTH_ISSUER: settings['AUTH_ISSUER'] as string,
      AUTH_AUDIENCE: settings['AUTH_AUDIENCE'] as string,
      AUTH_CLIENT_ID: settings['AUTH_CLIENT_ID'] as string,
      AUTH_CLIENT_SECRET: settings['AUTH_CLIENT_SECRET'] as string,
      RFC2136_SERVER: `127.0.0.1:${server.port}`,
      RFC2136_KEY_SECRET: server.key.secret,
    });
    const runtimeFolder = join(folder, 'runtime');
    // Apps run as other users, who must be able to enter.
    await chmod(folder, 0o711);
    await mkdir(runtimeFolder, { mode: 0o711 });
    const stateFolder = join(folder, 'state');
    await mkdir(stateFolder);
    return {
      runtimeFolder,
      stateFolder,
      files: {
        '/etc/homeport/common.env': `${common}TMPDIR=${folder}\n`,
        '/etc/homeport/api.env': api.replaceAll('/var/lib/homeport', stateFolder),
        '/etc/homeport/runtime.env': environmentFile('/etc/homeport/runtime.env', { SECRETS_KEYS: secretsKeys }),
      },
    };
  }

  #proxyPlaces(folder: string): Record<string, string> {
    const [api1 = 0, api2 = 0] = this.#apiPorts;
    const [edge1 = 0, edge2 = 0] = this.#edgePorts;
    return {
      '127.0.0.1:3000': `127.0.0.1:${api1}`,
      '127.0.0.1:3001': `127.0.0.1:${api2}`,
      '127.0.0.1:8080': `127.0.0.1:${edge1}`,
      '127.0.0.1:8081': `127.0.0.1:${edge2}`,
      [`/etc/homeport/tls/${PRODUCT}.pem`]: join(folder, 'cert.pem'),
      [`/etc/homeport/tls/${PRODUCT}.key`]: join(folder, 'cert.key'),
      [`/etc/homeport/tls/${DOMAIN}.pem`]: join(folder, 'cert.pem'),
      [`/etc/homeport/tls/${DOMAIN}.key`]: join(folder, 'cert.key'),
    };
  }

  /** Sends a request through the proxy. */
  call(host: string, path: string, { method = 'GET', type = '', body = Buffer.alloc(0) }: Call = {}) {
    return new Promise<{ status: number; body: string }>((resolve, reject) => {
      const headers = { host, authorization: `Bearer ${this.#token}`, ...(type && { 'content-type': type }) };
      const options = { host: '127.0.0.1', port: this.httpsPort, path, method, headers, servername: host };
      const sent = request({ ...options, rejectUnauthorized: false, agent: false }, (response) => {
        text(response).then((body) => resolve({ status: response.statusCode ?? 0, body }), reject);
      });
      sent.once('error', reject).end(body);
    });
  }

  /** Registers an app and deploys the files. @returns the app, when it is served. */
  async deploy(app: { name: string; type?: string }, deployed: SiteFiles) {
    const body = Buffer.from(JSON.stringify(app));
    const created = await this.call(PRODUCT, '/api/apps', { method: 'POST', type: 'application/json', body });
    expect(created.status).toBe(201);
    const registered = JSON.parse(created.body) as { id: string; hostname: string; url: string; dns_status: string };
    const archive = { method: 'POST', type: 'application/gzip', body: await tarGz(deployed) };
    const { status, body: answer } = await this.call(PRODUCT, `/api/apps/${registered.id}/deploys`, archive);
    expect([status, JSON.parse(answer)]).toEqual([201, expect.not.objectContaining({ error: expect.anything() })]);
    await until(async () => (await this.call(registered.hostname, '/')).status === 200);
    return registered;
  }

  /** Stops one API and one edge. @returns what starts them again. */
  async stopOfEach(at: number): Promise<() => Promise<void>> {
    const stopped = [this.#apis[at], this.#edges[at]] as Child[];
    await Promise.all(stopped.map((each) => each.close()));
    expect(stopped.map((each) => each.process.exitCode)).toEqual([0, 0]);
    return async () => {
      const [apiPort, edgePort] = [this.#apiPorts[at] as number, this.#edgePorts[at] as number];
      const [api, edge] = [startInstance('api', this.#places, apiPort), startInstance('edge', this.#places, edgePort)];
      [this.#apis[at], this.#edges[at]] = [api, edge];
      await Promise.all([isReady(api, apiPort), isReady(edge, edgePort)]);
    };
  }

  close(): Promise<void> {
    return this.#started.disposeAsync();
  }
}

async function twoPorts(): Promise<number[]> {
  return [await freePort(), await freePort()];
}

async function isReady(program: Child, port: number): Promise<void> {
  const url = `http://127.0.0.1:${port}/health/ready`;
  const ready = until(() =>
    fetch(url).then(
      ({ ok }) => ok,
      // It does not listen yet.
      () => false,
    ),
  );
  const failure = await Promise.race([ready, program.died]);
  if (failure) throw failure;
}
