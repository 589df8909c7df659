import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SandboxExited } from '../../runtime/application/sandbox.errors';
import {
  Sandbox,
  type SandboxedProcess,
  type SandboxExit,
  type SandboxSpec,
} from '../../runtime/application/sandbox.port';

const STOPPED: SandboxExit = { code: 0, signal: null, isOutOfMemory: false };
const CRASHED: SandboxExit = { code: 1, signal: null, isOutOfMemory: false };

/** A server in the process of the test. */
export class FakeProcess implements SandboxedProcess {
  readonly socketPath: string;
  readonly listening: Promise<void>;
  readonly ended: Promise<void>;
  readonly exited: Promise<SandboxExit>;
  /** What was done with it. */
  readonly calls: string[] = [];
  readonly server: Server;
  bytes = 30 * 1024 * 1024;
  readonly #listening = Promise.withResolvers<undefined>();
  readonly #ended = Promise.withResolvers<undefined>();
  readonly #exited = Promise.withResolvers<SandboxExit>();

  constructor(
    readonly spec: SandboxSpec,
    handle: RequestListener,
  ) {
    this.socketPath = join(tmpdir(), `hp-${spec.instanceId}.sock`);
    this.server = createServer(handle);
    this.listening = this.#listening.promise;
    this.listening.catch(() => undefined);
    this.ended = this.#ended.promise;
    this.exited = this.#exited.promise;
  }

  async listen(): Promise<void> {
    this.server.listen(this.socketPath);
    await once(this.server, 'listening');
    this.#listening.resolve(undefined);
  }

  freeze(): Promise<void> {
    this.calls.push('freeze');
    return Promise.resolve();
  }

  thaw(): Promise<void> {
    this.calls.push('thaw');
    return Promise.resolve();
  }

  memoryBytes(): Promise<number> {
    return Promise.resolve(this.bytes);
  }

  async stop(graceMs: number): Promise<void> {
    this.calls.push(`stop ${graceMs}`);
    await this.#end(STOPPED);
  }

  /** Ends the server with its connections. */
  crash(exit = CRASHED): Promise<void> {
    return this.#end(exit);
  }

  /** Ends the server, whose remains are not removed yet. */
  end(): void {
    this.server.closeAllConnections();
    this.#ended.resolve(undefined);
  }

  async #end(exit: SandboxExit): Promise<void> {
    this.#ended.resolve(undefined);
    this.server.closeAllConnections();
    this.server.close();
    await rm(this.socketPath, { force: true });
    this.#listening.reject(new SandboxExited(exit));
    this.#exited.resolve(exit);
    await this.exited;
  }
}

/** A sandbox that runs servers in the process of the test. */
export class FakeSandbox extends Sandbox {
  readonly launched: FakeProcess[] = [];
  /** Whether new servers listen at once. */
  listensAtOnce = true;
  /** While set, no server can be started. */
  failure: Error | undefined;

  constructor(
    private readonly handle: (deploy: string) => RequestListener = () => (_, response) => response.end('ok'),
  ) {
    super();
  }

  get last(): FakeProcess {
    return this.launched.at(-1) as FakeProcess;
  }

  override async launch(spec: SandboxSpec): Promise<SandboxedProcess> {
    if (this.failure) throw this.failure;
    const launched = new FakeProcess(spec, this.handle(spec.appFolder));
    this.launched.push(launched);
    if (this.listensAtOnce) await launched.listen();
    return launched;
  }

  override async examine(): Promise<void> {
    if (this.failure) throw this.failure;
  }

  async close(): Promise<void> {
    await Promise.all(this.launched.map((launched) => launched.crash()));
  }
}
