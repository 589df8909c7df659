import { once } from 'node:events';
import { chmod, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { REVISION_SCOPES } from '@homeport/hosting/contracts';
import { DatabaseUnavailable } from '@homeport/kernel';
import { isStorageFailure } from '@homeport/platform/server/blobs';
import { Drain, type UpgradeRequest } from '@homeport/platform/server/node-http';
import {
  RevisionNotFound,
  RuntimeFailed,
  type RuntimeFailure,
  WebSocketsUnsupported,
} from '../../application/runtime.errors';
import type { Runtime } from '../../application/runtime.port';
import type { Revision } from '../../domain/revision';
import { ForwardFailed, type ForwardFailure } from './forward-request';
import { asksForWebSocket, responseFor } from './forward-upgrade';
import { DEPLOY_HEADER, FAILURE_HEADER, SCOPE_HEADER, VERSION_HEADER } from './runtime-headers';

/** Longer than the edge keeps its connections, so that the edge never uses one that is being closed. */
const KEEP_ALIVE_MS = 65_000;
/** As many as the edge accepts, and those that it adds. */
const MAX_HEADER_BYTES = 32 * 1024;

const STATUSES: Readonly<Record<RuntimeFailure, number>> = {
  'runtime-crashed': 502,
  'queue-full': 503,
  'start-failed': 503,
  timeout: 504,
};

/** All others concern the app. */
const FAILURES: Readonly<Partial<Record<ForwardFailure, RuntimeFailure>>> = {
  timeout: 'timeout',
  'too-slow': 'queue-full',
};

export interface RuntimeServerOptions {
  readonly runtime: Pick<Runtime, 'handle' | 'upgrade'>;
  /** @returns whether the runtime is ready to run apps. */
  readonly isReady: () => boolean;
  readonly onError: (error: unknown) => void;
  /** Receives each request without a response of the app. Default: not counted. */
  readonly onFailure?: ((failure: RuntimeFailure) => void) | undefined;
  /** Handles a request in a span. Default: calls `handle`. */
  readonly trace?: ((request: IncomingMessage, response: ServerResponse, handle: () => void) => void) | undefined;
}

/** Receives requests of edges on a unix socket, and passes them to the servers of apps. */
export class RuntimeServer {
  readonly #server: Server;
  readonly #drain: Drain;

  constructor(private readonly options: RuntimeServerOptions) {
    this.#server = createServer({
      keepAliveTimeout: KEEP_ALIVE_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
      requestTimeout: 0,
    });
    this.#server.maxHeadersCount = 0;
    this.#server.on('request', (request, response) => void this.#handle(request, response));
    this.#server.on('upgrade', (request: IncomingMessage, socket: Duplex, rest: Buffer) => {
      void this.#upgrade({ request, socket, rest });
    });
    this.#drain = new Drain(this.#server);
  }

  /** Listens on a unix socket, which only members of its group may use. */
  async listen(socketPath: string): Promise<void> {
    // A killed runtime leaves its socket.
    await rm(socketPath, { force: true });
    this.#server.listen(socketPath);
    await once(this.#server, 'listening');
    await chmod(socketPath, 0o660);
  }

  /** @returns whether every request was answered within the limit. Remaining connections are closed. */
  close(limitMs: number): Promise<boolean> {
    return this.#drain.close(limitMs);
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const revision = revisionOf(request);
    if (!revision) return this.#answerHealth(request, response);
    const { trace } = this.options;
    if (!trace) return this.#run(revision, request, response);
    trace(request, response, () => void this.#run(revision, request, response));
  }

  async #run(revision: Revision, request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      await this.options.runtime.handle(revision, { request, response });
    } catch (error) {
      this.#fail(error, response);
    }
  }

  async #upgrade(exchange: UpgradeRequest): Promise<void> {
    const { request, socket } = exchange;
    const revision = revisionOf(request);
    // The socket may fail before another listener is added.
    socket.on('error', () => socket.destroy());
    if (!revision || !asksForWebSocket(request)) return void responseFor(exchange).writeHead(400).end();
    this.#drain.addTunnel(socket);
    try {
      await this.options.runtime.upgrade(revision, { ...exchange, closing: this.#drain.closing });
    } catch (error) {
      this.#fail(error, responseFor(exchange));
    }
  }

  /** Requests without a revision are health checks. */
  #answerHealth(request: IncomingMessage, response: ServerResponse): void {
    const isHealthy = request.url === '/health/live' || (request.url === '/health/ready' && this.options.isReady());
    const isKnown = request.url === '/health/live' || request.url === '/health/ready';
    response.writeHead(isHealthy ? 200 : isKnown ? 503 : 400, { 'Content-Length': 0 }).end();
  }

  #fail(error: unknown, response: ServerResponse): void {
    if (response.headersSent) return void response.destroy();
    if (error instanceof ForwardFailed && error.failure === 'too-large') {
      response.writeHead(413, { 'Content-Length': 0, Connection: 'close' }).end();
      return;
    }
    if (error instanceof WebSocketsUnsupported) return void response.writeHead(501, { 'Content-Length': 0 }).end();
    const failed = toRuntimeFailed(error);
    this.options.onFailure?.(failed.failure);
    if (!(error instanceof RuntimeFailed || error instanceof ForwardFailed || isOutage(error)))
      this.options.onError(error);
    const retryAfter = Math.max(1, Math.ceil(failed.retryAfterMs / 1_000));
    response
      .writeHead(STATUSES[failed.failure], {
        [FAILURE_HEADER]: failed.failure,
        'Retry-After': retryAfter,
        'Content-Length': 0,
      })
      .end();
  }
}

function revisionOf({ headers }: IncomingMessage): Revision | undefined {
  const { [DEPLOY_HEADER]: deployId, [VERSION_HEADER]: version, [SCOPE_HEADER]: scope } = headers;
  const knownScope = REVISION_SCOPES.find((each) => each === scope);
  if (typeof deployId !== 'string' || !/^[0-9a-f-]{36}$/.test(deployId) || !knownScope) return undefined;
  return { deployId, version: Number(version), scope: knownScope };
}

/** Dependencies log their own outages. */
function isOutage(error: unknown): boolean {
  return error instanceof DatabaseUnavailable || isStorageFailure(error) || error instanceof RevisionNotFound;
}

function toRuntimeFailed(error: unknown): RuntimeFailed {
  if (error instanceof RuntimeFailed) return error;
  if (!(error instanceof ForwardFailed))
    return new RuntimeFailed('start-failed', 'The runtime cannot start the app.', 5_000);
  return new RuntimeFailed(FAILURES[error.failure] ?? 'runtime-crashed', error.message);
}
