import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { errors } from 'oidc-provider';
import type { Provider } from 'oidc-provider';
import { sendPage } from './exchange.ts';
import type { Route } from './exchange.ts';
import { contentSecurityPolicy } from './page-style.ts';
import { problemPage } from './pages.ts';
import { NOT_FOUND, problemOf } from './problems.ts';

const GRACE_MS = 1000;

export interface HandlerOptions {
  readonly port: number;
  readonly routes: readonly Route[];
  /** Issuers by path prefix; the one at `''` answers everything else. */
  readonly issuers: ReadonlyMap<string, Provider>;
  /** The URLs at which forms may end after all redirects. */
  readonly returnUris: readonly string[];
  readonly signInUrl: string | undefined;
}

/** Starts a server without a handler; the handler is set once the port is known. */
export async function listen(host: string, port: number): Promise<{ server: Server; port: number }> {
  const server = createServer({ headersTimeout: 10_000, requestTimeout: 30_000 });
  server.listen(port, host);
  await once(server, 'listening');
  return { server, port: (server.address() as AddressInfo).port };
}

/** Stops the server: closes idle connections at once, busy ones when they are done or after a second. */
export async function stop(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  const impatience = setTimeout(() => server.closeAllConnections(), GRACE_MS);
  await closed;
  clearTimeout(impatience);
}

export function createHandler(site: HandlerOptions): RequestListener {
  const issuers = [...site.issuers]
    .sort(([a], [b]) => b.length - a.length)
    .map(([path, provider]) => ({ path, answer: withNotFoundPage(provider, site).callback() }));
  const ownNames = [`localhost:${site.port}`, `127.0.0.1:${site.port}`, `[::1]:${site.port}`];
  const policy = contentSecurityPolicy(site.returnUris);

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const target = request.url ?? '';
    // Protects against DNS rebinding: a page whose host name resolves to loopback must not reach this service.
    if (!ownNames.includes(request.headers.host ?? '') || !target.startsWith('/')) {
      response.writeHead(421, { 'Content-Length': 0 }).end();
      return;
    }
    request.headers.host = `localhost:${site.port}`;
    setPageHeaders(response, policy);

    const queryStart = target.indexOf('?');
    const path = queryStart < 0 ? target : target.slice(0, queryStart);
    for (const route of site.routes) {
      const match = route.method === request.method ? route.path.exec(path) : null;
      if (!match) continue;
      const query = new URLSearchParams(queryStart < 0 ? '' : target.slice(queryStart + 1));
      return route.handle({ request, response, query, params: match.groups ?? {} });
    }

    const issuer = issuers.find((candidate) => path.startsWith(`${candidate.path}/`));
    if (issuer) await issuer.answer(mounted(request, issuer.path), response);
  }

  return (request, response) => {
    answer(request, response).catch((error: unknown) => showProblem(error, response, site.signInUrl));
  };
}

/** Default headers of every response, also of the issuers' endpoints. */
function setPageHeaders(response: ServerResponse, policy: string): void {
  response.setHeader('Content-Security-Policy', policy);
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('Referrer-Policy', 'no-referrer');
  response.setHeader('X-Content-Type-Options', 'nosniff');
}

/** Strips the issuer's path prefix from the URL, as the issuer expects, and keeps the original URL. */
function mounted(request: IncomingMessage, path: string): IncomingMessage {
  if (path === '') return request;
  return Object.assign(request, { originalUrl: request.url, url: request.url?.slice(path.length) });
}

function withNotFoundPage(provider: Provider, site: HandlerOptions): Provider {
  provider.on('server_error', (_ctx, error) => report(error));
  provider.use(async (ctx, next) => {
    await next();
    if (ctx.status !== 404 || ctx.body) return;
    ctx.status = 404;
    ctx.type = 'html';
    ctx.body = problemPage(NOT_FOUND, site.signInUrl);
  });
  return provider;
}

function showProblem(error: unknown, response: ServerResponse, signInUrl: string | undefined): void {
  const expected = error instanceof errors.OIDCProviderError && error.expose;
  if (!expected) report(error);
  if (response.headersSent) {
    response.destroy();
    return;
  }
  sendPage(response, expected ? error.statusCode : 500, problemPage(problemOf(error), signInUrl));
}

function report(error: unknown): void {
  console.error('identity service:', error);
}
