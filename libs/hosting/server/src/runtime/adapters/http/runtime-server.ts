import { once } from 'node:events';
import { chmod, rm } from 'node:fs/promises';
import { Agent, createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { REVISION_SCOPES } from '@homeport/hosting/contracts';
import { DatabaseUnavailable } from '@homeport/kernel';
import { isStorageFailure } from '@homeport/platform/server/blobs';
import { Drain, type UpgradeRequest } from '@homeport/platform/server/node-http';
import type { Instance, Lease } from '../../application/instance';
import { RevisionNotFound, RuntimeFailed, type RuntimeFailure } from '../../application/runtime.errors';
import type { RuntimePool } from '../../application/runtime-pool';
import type { Revision } from '../../domain/revision';
import type { RuntimeLimits } from '../../domain/runtime-limits';
import { endToEndHeaders } from './end-to-end-headers';
import { ForwardFailed, type ForwardFailure, forwardRequest } from './forward-request';
import { asksForWebSocket, forwardUpgrade, responseFor } from './forward-upgrade';
import { DEPLOY_HEADER, FAILURE_HEADER, isRuntimeHeader, SCOPE_HEADER, VERSION_HEADER } from './runtime-headers';

/** Longer than the edge keeps its connections, so that the edge never uses one that is being closed. */
const KEEP_ALIVE_MS = 65_000;
/** Shorter than Node servers keep connections, 5 s. */
const KEPT_CONNECTION_MS = 4_000;
/** As many as the edge accepts, and those that it adds. */
const MAX_HEADER_BYTES = 32 * 1024;

const MAX_ATTEMPTS = 3;
/** A connection that breaks usually announces the exit of its process. */
const EXIT_NOTICE_MS = 500;

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
  readonly pool: Pick<RuntimePool, 'acquire'>;
  readonly limits: RuntimeLimits;
  /** @returns whether the runtime is ready to run apps. */
  readonly isReady: () => boolean;
  readonly onError: (error: unknown) => void;
}

/** Receives requests of edges on a unix socket, and forwards them to instances. */
export class RuntimeServer {
  readonly #server: Server;
  readonly #drain: Drain;
  readonly #tunnels = new Set<Duplex>();

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
  async close(limitMs: number): Promise<boolean> {
    const isDone = await this.#drain.close(limitMs);
    for (const socket of this.#tunnels) socket.destroy();
    return isDone;
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const revision = revisionOf(request);
    if (!revision) return this.#answerHealth(request, response);
    try {
      await this.#tryInstances(revision, async (lease) => {
        if (!response.destroyed) await this.#forward(lease, request, response);
      });
    } catch (error) {
      this.#fail(error, response);
    }
  }

  /** Repeats with another instance when one has ended, and the pool did not know that yet. */
  async #tryInstances(revision: Revision, forward: (lease: Lease) => Promise<void>): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      const lease = await this.options.pool.acquire(revision);
      try {
        return await forward(lease);
      } catch (error) {
        if (!(error instanceof ForwardFailed)) throw error;
        if (error.failure === 'unreachable' || error.failure === 'disconnected') await exitOf(lease.instance);
        if (error.failure !== 'unreachable' || attempt === MAX_ATTEMPTS) throw error;
      } finally {
        lease.release();
      }
    }
  }

  #forward(lease: Lease, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { limits } = this.options;
    const { instance } = lease;
    return forwardRequest(request, response, {
      to: { socketPath: instance.process?.socketPath ?? '', agent: agentOf(instance) },
      headers: endToEndHeaders(request.rawHeaders, isRuntimeHeader),
      onResponse: (upstream) => {
        lease.isStream = isStream(upstream);
        return endToEndHeaders(upstream.rawHeaders, isRuntimeHeader);
      },
      pace: {
        minimum: limits.visitorRate,
        onWindow: (isSlow) => (lease.isSlow = isSlow),
        signal: lease.canceled,
      },
      ...limits,
    });
  }

  async #upgrade(exchange: UpgradeRequest): Promise<void> {
    const { request, socket } = exchange;
    const revision = revisionOf(request);
    // The socket may fail before another listener is added.
    socket.on('error', () => socket.destroy());
    if (!revision || !asksForWebSocket(request)) return void responseFor(exchange).writeHead(400).end();
    this.#tunnels.add(socket);
    socket.once('close', () => this.#tunnels.delete(socket));
    const { limits } = this.options;
    try {
      await this.#tryInstances(revision, async (lease) => {
        lease.isStream = true;
        await forwardUpgrade(exchange, {
          socketPath: lease.instance.process?.socketPath ?? '',
          headers: endToEndHeaders(request.rawHeaders, isRuntimeHeader),
          onResponse: (upstream) => endToEndHeaders(upstream.rawHeaders, isRuntimeHeader),
          firstByteMs: limits.firstByteMs,
          idleMs: limits.webSocketIdleMs,
        });
      });
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
    const failed = toRuntimeFailed(error);
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

/** Waits until the exit of an instance is known, or it seems to be alive. */
async function exitOf({ process }: Instance): Promise<void> {
  const isOver = new AbortController();
  const notice = setTimeout(EXIT_NOTICE_MS, undefined, { signal: isOver.signal }).catch(() => undefined);
  await Promise.race([process?.exited, notice]);
  isOver.abort();
}

function agentOf(instance: Instance): Agent {
  const kept = instance.connections;
  if (kept instanceof Agent) return kept;
  const agent = new Agent({ keepAlive: true, timeout: KEPT_CONNECTION_MS });
  instance.connections = agent;
  return agent;
}

function isStream({ headers }: IncomingMessage): boolean {
  return headers['content-type']?.startsWith('text/event-stream') === true;
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
