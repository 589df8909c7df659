import { mkdtemp, rm } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { Agent, type IncomingMessage, request as sendRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { RuntimeServer } from '../../runtime/adapters/http/runtime-server';
import type { InstanceLine } from '../../runtime/application/runtime-pool';
import type { Runtime } from '../../runtime/application/runtime.port';
import { RUNTIME_LIMITS, type RuntimeLimits } from '../../runtime/domain/runtime-limits';
import { FakeRuntimeDirectory } from './fake-runtime-directory';

export interface RuntimeRequest {
  readonly deploy: string;
  readonly version?: number;
  readonly path?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

export interface RuntimeResponse {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** What a runtime of a test is made of. */
export interface RuntimeContext {
  readonly directory: FakeRuntimeDirectory;
  /** The folder with the files of every deploy. */
  readonly bundles: { prepare(deployId: string): Promise<string> };
  readonly limits: RuntimeLimits;
  readonly now: () => number;
  readonly onLine: (line: InstanceLine) => void;
}

export interface RunningRuntimeOptions<R extends Runtime> {
  readonly createRuntime: (context: RuntimeContext) => R;
  readonly bundles: RuntimeContext['bundles'];
  readonly limits?: Partial<RuntimeLimits>;
}

/** A runtime in the process of the test, behind its socket, with its directory in memory. */
export class RunningRuntime<R extends Runtime = Runtime> {
  readonly directory = new FakeRuntimeDirectory();
  readonly lines: InstanceLine[] = [];
  readonly errors: unknown[] = [];
  readonly runtime: R;
  readonly #agent = new Agent({ keepAlive: true });
  readonly #server: RuntimeServer;
  #folder = '';
  /** Milliseconds by which the clock of the runtime is ahead. */
  #ahead = 0;

  constructor({ createRuntime, bundles, limits }: RunningRuntimeOptions<R>) {
    this.runtime = createRuntime({
      directory: this.directory,
      bundles,
      limits: { ...RUNTIME_LIMITS, ...limits },
      now: () => performance.now() + this.#ahead,
      onLine: (line) => this.lines.push(line),
    });
    const onError = (error: unknown) => void this.errors.push(error);
    this.#server = new RuntimeServer({ runtime: this.runtime, isReady: () => true, onError });
  }

  get socketPath(): string {
    return join(this.#folder, 'runtime.sock');
  }

  async open(): Promise<this> {
    this.#folder = await mkdtemp(join(tmpdir(), 'hp-runtime-'));
    await this.#server.listen(this.socketPath);
    return this;
  }

  /** Adds a deploy of an app. @returns its id. */
  deploy(appId: string = randomUUID()): string {
    const id = randomUUID();
    this.directory.add(id, appId);
    return id;
  }

  /** Advances the clock of the runtime. */
  pass(ms: number): void {
    this.#ahead += ms;
    this.runtime.sweep();
  }

  /** Sends a request as the edge does. */
  async send(given: RuntimeRequest): Promise<IncomingMessage> {
    const { deploy, version = 1, path = '/', method = 'GET', headers = {}, body } = given;
    const isChunked = 'Transfer-Encoding' in headers;
    const framing = body === undefined || isChunked ? {} : { 'content-length': Buffer.byteLength(body) };
    const revision = { 'x-homeport-deploy': deploy, 'x-homeport-version': version, 'x-homeport-scope': 'production' };
    const sent = sendRequest({
      socketPath: this.socketPath,
      agent: this.#agent,
      path,
      method,
      headers: { host: 'shop.apps.localhost', ...revision, ...framing, ...headers },
    });
    sent.end(body);
    return new Promise((resolve, reject) => sent.once('response', resolve).once('error', reject));
  }

  async request(given: RuntimeRequest): Promise<RuntimeResponse> {
    const response = await this.send(given);
    const body = (await buffer(response)).toString();
    return { status: response.statusCode ?? 0, headers: response.headers, body };
  }

  /** Closes the server as the program does. @returns whether every request was answered within the limit. */
  stop(limitMs: number): Promise<boolean> {
    return this.#server.close(limitMs);
  }

  async close(): Promise<void> {
    this.#agent.destroy();
    await this.runtime.close(0);
    await this.#server.close(0);
    await rm(this.#folder, { recursive: true, force: true });
  }
}
