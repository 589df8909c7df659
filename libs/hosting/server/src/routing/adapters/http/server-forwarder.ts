import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Header, parseRequestPath } from '@homeport/hosting/contracts';
import { type ClientConnectionResolver, createClientConnectionResolver } from '@homeport/platform/server/network';
import { enableLingeringClose, type UpgradeRequest } from '@homeport/platform/server/node-http';
import { responseFor } from '../../../runtime/adapters/http/forward-upgrade';
import type { DeployedSite } from '../../application/site-resolver';
import { isNavigation } from '../../domain/navigation';
import { sendBuffered } from '../../../static/adapters/http/file-sender';
import {
  type ErrorPage,
  PAYLOAD_TOO_LARGE,
  renderErrorPage,
  renderProblem,
  SERVER_FAILURES,
  UNAVAILABLE,
} from './error-pages';
import { markServedBy } from './measured-response';
import type { RuntimeClient, ServerFailureReport, ServerRequest } from './runtime-client';
import { forwardedHeaders, visibleHeaders } from './server-headers';

/** A site whose server answers what is not a static file. */
export type ServerSite = DeployedSite & Required<Pick<DeployedSite, 'server'>>;

export interface ForwardContext {
  readonly site: ServerSite;
  readonly host: string;
  /** Path and query as sent. */
  readonly target: string;
  /** Fields that the site's rules add. */
  readonly rules: readonly Header[];
  /** Whether the response must not be cached. */
  readonly isPersonal: boolean;
}

export function hasServer(site: DeployedSite): site is ServerSite {
  return site.server !== undefined;
}

/** Many servers resolve the target as a URL, and would take `//host/` for the address of another host. */
export function isPathOfServers(rawPath: string): boolean {
  return !rawPath.startsWith('//') && parseRequestPath(rawPath) !== undefined;
}

/** Forwards requests to the servers of sites through the runtime. */
export class ServerForwarder {
  /** @param runtime undefined where no runtime is configured: requests are then rejected. */
  constructor(
    private readonly runtime: RuntimeClient | undefined,
    private readonly connectionOf: ClientConnectionResolver = createClientConnectionResolver([]),
  ) {}

  async forward(context: ForwardContext, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const requestId = randomUUID();
    // The request log adopts it.
    request.headers['x-request-id'] = requestId;
    // Servers may stream with pauses; the runtime applies the limits.
    request.socket.setTimeout(0);
    markServedBy(response, 'server');
    const report = this.runtime
      ? await this.runtime.forward(request, response, this.#requestOf(context, request, requestId))
      : NO_RUNTIME;
    if (report) sendFailure(report, requestId, request, response);
  }

  async upgrade(context: ForwardContext, exchange: UpgradeRequest): Promise<void> {
    const requestId = randomUUID();
    const report = this.runtime
      ? await this.runtime.upgrade(exchange, this.#requestOf(context, exchange.request, requestId))
      : NO_RUNTIME;
    if (report) sendFailure(report, requestId, exchange.request, responseFor(exchange));
  }

  #requestOf(
    { site, host, target, rules, isPersonal }: ForwardContext,
    request: IncomingMessage,
    requestId: string,
  ): ServerRequest {
    const connection = this.connectionOf(request);
    return {
      path: target,
      headers: forwardedHeaders(request, { site, host, requestId, connection }),
      toHeaders: (upstream) => visibleHeaders(upstream, { site, requestId, rules, isPersonal }),
    };
  }
}

const NO_RUNTIME: ServerFailureReport = { failure: 'unavailable', retryAfter: undefined };

function sendFailure(
  { failure, retryAfter }: ServerFailureReport,
  requestId: string,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const page = pageOf(failure);
  // The app is not the cause.
  if (failure === 'unavailable') markServedBy(response, 'site');
  const isTemporary = page.status === 503 && retryAfter !== undefined;
  const headers = [...(isTemporary ? ['Retry-After', retryAfter] : (page.headers ?? [])), 'X-Request-Id', requestId];
  if (failure === 'too-large') dropBody(request, response);
  const rendered = prefersJson(request)
    ? renderProblem({ ...page, headers }, { code: `hosting.${failure}`, requestId })
    : renderErrorPage({ ...page, headers }, isNavigation(request.headers, undefined));
  sendBuffered(request, response, rendered);
}

/** Closes the connection after the response, and reads on for a while: a visitor that still sends would lose it. */
function dropBody(request: IncomingMessage, response: ServerResponse): void {
  response.shouldKeepAlive = false;
  enableLingeringClose(request.socket);
  request.resume();
}

function pageOf(failure: ServerFailureReport['failure']): ErrorPage {
  if (failure === 'unavailable') return UNAVAILABLE;
  return failure === 'too-large' ? PAYLOAD_TOO_LARGE : SERVER_FAILURES[failure];
}

function prefersJson({ headers: { accept = '' } }: IncomingMessage): boolean {
  return /\bapplication\/(?:problem\+)?json\b/i.test(accept) && !accept.includes('text/html');
}
