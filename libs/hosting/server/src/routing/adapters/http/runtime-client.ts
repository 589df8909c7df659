import { Agent, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import type { UpgradeRequest } from '@homeport/platform/server/node-http';
import {
  ForwardFailed,
  type ForwardFailure,
  forwardRequest,
  type Upstream,
} from '../../../runtime/adapters/http/forward-request';
import { forwardUpgrade } from '../../../runtime/adapters/http/forward-upgrade';
import { FAILURE_HEADER } from '../../../runtime/adapters/http/runtime-headers';
import { RUNTIME_LIMITS } from '../../../runtime/domain/runtime-limits';
import { SERVER_FAILURES, type ServerFailure } from './error-pages';

/** The runtime applies the limits; the edge ends requests later, in case the runtime did not. */
const MARGIN_MS = 30_000;
/** Shorter than the runtime keeps connections. */
const KEPT_CONNECTION_MS = 30_000;
/** How long requests wait for a runtime that restarts, and how often they try. */
const RESTART_MS = 10_000;
const RETRY_MS = 50;
const REPEATED: ReadonlySet<ForwardFailure> = new Set(['unreachable', 'ended']);

export interface ServerRequest {
  /** The target as it is routed. */
  readonly path: string;
  /** Alternating names and values. */
  readonly headers: readonly string[];
  /** @returns the header fields of the response to the visitor. */
  readonly toHeaders: (upstream: IncomingMessage) => readonly string[];
}

/** Why a server did not answer. */
export interface ServerFailureReport {
  readonly failure: ServerFailure | 'unavailable' | 'too-large';
  /** Seconds. */
  readonly retryAfter: string | undefined;
}

/** Sends requests to the runtime on this machine, which runs the servers of SSR apps. */
export class RuntimeClient {
  readonly #to: Upstream;

  constructor(socketPath: string) {
    this.#to = { socketPath, agent: new Agent({ keepAlive: true, timeout: KEPT_CONNECTION_MS }) };
  }

  /** @returns why there is no response; undefined when the response was sent, or the visitor has left. */
  async forward(
    request: IncomingMessage,
    response: ServerResponse,
    { path, headers, toHeaders }: ServerRequest,
  ): Promise<ServerFailureReport | undefined> {
    return this.#attempt((isFailure) =>
      forwardRequest(request, response, {
        to: this.#to,
        path,
        headers,
        onResponse: (upstream) => (isFailure(upstream) ? undefined : toHeaders(upstream)),
        bodyBytes: RUNTIME_LIMITS.bodyBytes,
        firstByteMs: RUNTIME_LIMITS.firstByteMs + RUNTIME_LIMITS.queueMs + MARGIN_MS,
        responseMs: RUNTIME_LIMITS.responseMs + MARGIN_MS,
      }),
    );
  }

  /** Connects a WebSocket. @returns as `forward`. */
  async upgrade(
    exchange: UpgradeRequest,
    { path, headers, toHeaders }: ServerRequest,
  ): Promise<ServerFailureReport | undefined> {
    return this.#attempt((isFailure) =>
      forwardUpgrade(exchange, {
        socketPath: this.#to.socketPath,
        path,
        headers,
        onResponse: (upstream) => (isFailure(upstream) ? undefined : toHeaders(upstream)),
        firstByteMs: RUNTIME_LIMITS.firstByteMs + RUNTIME_LIMITS.queueMs + MARGIN_MS,
        idleMs: RUNTIME_LIMITS.webSocketIdleMs + MARGIN_MS,
      }),
    );
  }

  close(): void {
    this.#to.agent.destroy();
  }

  /** Repeats while the runtime restarts, if the request may be sent again. */
  async #attempt(
    send: (isFailure: (upstream: IncomingMessage) => boolean) => Promise<unknown>,
  ): Promise<ServerFailureReport | undefined> {
    let report: ServerFailureReport | undefined;
    const isFailure = (upstream: IncomingMessage): boolean => {
      report = reportIn(upstream);
      return report !== undefined;
    };
    for (const giveUpAt = performance.now() + RESTART_MS; ; await setTimeout(RETRY_MS)) {
      try {
        await send(isFailure);
        return report;
      } catch (error) {
        if (!(error instanceof ForwardFailed)) throw error;
        if (error.failure === 'timeout' || error.failure === 'too-large')
          return { failure: error.failure, retryAfter: undefined };
        if (!REPEATED.has(error.failure) || performance.now() > giveUpAt)
          return { failure: 'unavailable', retryAfter: '5' };
      }
    }
  }
}

function reportIn({ headers }: IncomingMessage): ServerFailureReport | undefined {
  const failure = headers[FAILURE_HEADER];
  if (typeof failure !== 'string') return undefined;
  const isKnown = Object.hasOwn(SERVER_FAILURES, failure);
  return { failure: isKnown ? (failure as ServerFailure) : 'unavailable', retryAfter: headers['retry-after'] };
}
