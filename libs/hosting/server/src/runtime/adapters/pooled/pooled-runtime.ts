import { Agent, type IncomingMessage, request as sendRequest } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import type { Instance, Lease } from '../../application/instance';
import { type Exchange, type FirstRequest, Runtime, type UpgradeExchange } from '../../application/runtime.port';
import { RuntimePool, type RuntimePoolOptions } from '../../application/runtime-pool';
import { describeExit } from '../../application/sandbox.errors';
import type { Sandbox, SandboxExit } from '../../application/sandbox.port';
import type { Revision } from '../../domain/revision';
import { endToEndHeaders } from '../http/end-to-end-headers';
import { ForwardFailed, type ForwardFailure, forwardRequest } from '../http/forward-request';
import { forwardUpgrade } from '../http/forward-upgrade';
import { isRuntimeHeader } from '../http/runtime-headers';

/** Shorter than Node servers keep connections, 5 s. */
const KEPT_CONNECTION_MS = 4_000;
const MAX_ATTEMPTS = 3;
/** A connection that breaks usually announces the exit of its process. */
const EXIT_NOTICE_MS = 500;
const MEASURE_MS = 5_000;
/** Failures of an instance that may have ended. */
const LOST: ReadonlySet<ForwardFailure> = new Set(['unreachable', 'ended', 'disconnected']);

export interface PooledRuntimeOptions extends RuntimePoolOptions {
  readonly sandbox: Pick<Sandbox, 'examine'>;
}

/** Runs servers as processes on this machine, each in a sandbox. */
export class PooledRuntime extends Runtime {
  readonly pool: RuntimePool;
  #measuredAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly options: PooledRuntimeOptions) {
    super();
    this.pool = new RuntimePool(options);
  }

  override get revisions() {
    return this.pool.revisions;
  }

  /** The sandbox tries all its walls on this machine. @throws {SandboxBreached} @throws {SandboxUnavailable} */
  override ready(signal: AbortSignal): Promise<void> {
    return this.options.sandbox.examine(signal);
  }

  override async prepare({ deployId }: Revision): Promise<FirstRequest> {
    const lease = await this.pool.check(deployId);
    const { instance } = lease;
    const { firstByteMs } = this.options.limits;
    try {
      const status = await statusOf(instance, firstByteMs);
      return { status, log: instance.lastLines };
    } catch (error) {
      const reason = await reasonOf(error as Error, instance, firstByteMs);
      return { status: undefined, error: reason, log: instance.lastLines };
    } finally {
      lease.release();
    }
  }

  override warm(revision: Revision): Promise<void> {
    return this.pool.warm(revision);
  }

  override async handle(revision: Revision, exchange: Exchange): Promise<void> {
    await this.#tryInstances(revision, async (lease) => {
      const { delayMs } = lease.instance.chunkPace;
      if (delayMs > 0) await setTimeout(delayMs);
      if (!exchange.response.destroyed) await this.#forward(lease, exchange);
    });
  }

  override async upgrade(revision: Revision, exchange: UpgradeExchange): Promise<void> {
    const { limits } = this.options;
    await this.#tryInstances(revision, async (lease) => {
      lease.isStream = true;
      await forwardUpgrade(exchange, {
        socketPath: lease.instance.process?.socketPath ?? '',
        headers: endToEndHeaders(exchange.request.rawHeaders, isRuntimeHeader),
        onResponse: (upstream) => endToEndHeaders(upstream.rawHeaders, isRuntimeHeader),
        firstByteMs: limits.firstByteMs,
        idleMs: limits.webSocketIdleMs,
      });
    });
  }

  override retire(revision: Revision): Promise<void> {
    return this.pool.retire(revision);
  }

  override sweep(): void {
    this.pool.sweep();
    const now = this.options.now();
    if (now - this.#measuredAt < MEASURE_MS) return;
    this.#measuredAt = now;
    void this.pool.measure();
  }

  override close(graceMs: number): Promise<void> {
    return this.pool.close(graceMs);
  }

  /**
   * Repeats with another instance when one has ended, and the pool did not know that yet. A request that was sent is
   * not repeated, because it may be what ended the instance.
   */
  async #tryInstances(revision: Revision, forward: (lease: Lease) => Promise<void>): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      const lease = await this.pool.acquire(revision);
      try {
        return await forward(lease);
      } catch (error) {
        if (!(error instanceof ForwardFailed)) throw error;
        if (LOST.has(error.failure)) await exitOf(lease.instance);
        if (error.failure !== 'unreachable' || attempt === MAX_ATTEMPTS) throw error;
      } finally {
        lease.release();
      }
    }
  }

  #forward(lease: Lease, { request, response }: Exchange): Promise<void> {
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
      chunkPace: instance.chunkPace,
      ...limits,
    });
  }
}

/** Waits until the exit of an instance is known. @returns undefined when it seems to be alive. */
async function exitOf({ process }: Instance): Promise<SandboxExit | undefined> {
  const isOver = new AbortController();
  const notice = setTimeout(EXIT_NOTICE_MS, undefined, { signal: isOver.signal }).catch(() => undefined);
  const exit = await Promise.race([process?.exited, notice]);
  isOver.abort();
  return exit;
}

/** @returns why a first request has no response. */
async function reasonOf(error: Error, instance: Instance, limitMs: number): Promise<string> {
  if (error.name === 'AbortError') return `no response arrived within ${limitMs / 1_000} s`;
  const exit = await exitOf(instance);
  return exit ? `the server crashed: ${describeExit(exit)}` : error.message;
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

/** Requests the first page of an instance. @returns the status. @throws {Error} without a response of HTTP. */
async function statusOf({ process }: Instance, limitMs: number): Promise<number> {
  const sent = sendRequest({
    socketPath: process?.socketPath,
    agent: false,
    path: '/',
    headers: { host: 'localhost', accept: 'text/html' },
    signal: AbortSignal.timeout(limitMs),
  });
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  sent.once('response', ({ statusCode = 0 }) => resolve(statusCode));
  sent.on('error', reject);
  // Without a listener, Node closes the connection and reports nothing.
  sent.once('upgrade', (_, tunnel) => {
    tunnel.destroy();
    reject(new Error('the server switched to another protocol'));
  });
  sent.end();
  return promise.finally(() => sent.destroy());
}
