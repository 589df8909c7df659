import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { hasCode, SetupFailed } from '../errors.ts';
import { sendError } from './exchange.ts';
import { toS3Error } from './protocol/errors.ts';
import { withHoistedHeaders } from './protocol/headers.ts';
import { SignatureVerifier } from './protocol/signature.ts';
import type { Credentials } from './protocol/signature.ts';
import { parseTarget } from './protocol/target.ts';
import type { Report } from './report.ts';
import { route } from './router.ts';
import type { Storage } from './storage/storage.ts';

const HEADERS_TIMEOUT_MS = 10_000;
const IDLE_TIMEOUT_MS = 30_000;
const KEEP_ALIVE_MS = 65_000;
const DRAIN_MS = 2_000;

interface ServerContext {
  readonly storage: Storage;
  readonly credentials: Credentials;
  readonly report: Report;
}

/** The HTTP server: answers every request and lets pending ones finish on shutdown. */
export class S3Server {
  private readonly context: ServerContext;
  private readonly verifier: SignatureVerifier;
  private readonly http: Server;
  private readonly active = new Set<Promise<void>>();
  private readonly idPrefix = randomBytes(4).toString('hex').toUpperCase();
  private requests = 0;
  private draining = false;

  constructor(context: ServerContext) {
    this.context = context;
    this.verifier = new SignatureVerifier(context.credentials);
    this.http = createServer({
      noDelay: true,
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: 1000,
      // Large bodies may take any time as long as data arrives; a stalled body hits the idle timeout.
      requestTimeout: 0,
      keepAliveTimeout: KEEP_ALIVE_MS,
    });
    this.http.timeout = IDLE_TIMEOUT_MS;
    const accept = (request: IncomingMessage, response: ServerResponse): void => this.accept(request, response);
    this.http.on('request', accept);
    // The operation that reads the body sends "100 Continue", so that a refusal comes before the body.
    this.http.on('checkContinue', accept);
  }

  /** Returns the port. Throws SetupFailed when the port is unavailable. */
  listen(host: string, port: number): Promise<number> {
    return new Promise((resolve, reject) => {
      this.http.once('error', (error) => reject(explain(error, port)));
      this.http.listen({ host, port, exclusive: true }, () => {
        const address = this.http.address();
        resolve(typeof address === 'object' && address ? address.port : port);
      });
    });
  }

  /** Stops accepting connections, gives pending requests two seconds, then closes them and waits for their clean-up. */
  async close(): Promise<void> {
    this.draining = true;
    const cut = setTimeout(() => this.http.closeAllConnections(), DRAIN_MS);
    await new Promise((resolve) => this.http.close(resolve));
    clearTimeout(cut);
    await Promise.allSettled(this.active);
  }

  private accept(request: IncomingMessage, response: ServerResponse): void {
    const work = this.answer(request, response).finally(() => {
      this.active.delete(work);
      // A connection that was busy when the shutdown started would otherwise wait for its next request.
      if (this.draining) setImmediate(() => this.http.closeIdleConnections());
    });
    this.active.add(work);
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const id = this.idPrefix + (++this.requests).toString(16).toUpperCase().padStart(8, '0');
    response.setHeader('x-amz-request-id', id);
    if (this.draining) response.setHeader('connection', 'close');
    const { method = '', url = '' } = request;
    try {
      const target = parseTarget(url);
      const { presigned, payloadHash } = this.verifier.verify({ method, target, headers: request.headers });
      const headers = presigned ? withHoistedHeaders(request.headers, target.query) : request.headers;
      await route({ request, response, target, headers, payloadHash, storage: this.context.storage });
    } catch (error) {
      this.refuse(error, response, { request, id });
    }
  }

  private refuse(
    error: unknown,
    response: ServerResponse,
    { request, id }: { request: IncomingMessage; id: string },
  ): void {
    // The client has disconnected.
    if (response.destroyed || request.socket.destroyed) return;
    const refusal = toS3Error(error);
    if (refusal.cause !== undefined)
      this.context.report(`${request.method} ${request.url} failed: ${describe(refusal.cause)}`);
    sendError(response, refusal, {
      id,
      path: (request.url ?? '').replace(/\?.*/s, ''),
      head: request.method === 'HEAD',
    });
    // Reads and drops the rest of a refused body: closing the connection during the upload would lose the response.
    if (!request.complete) request.resume();
  }
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

function explain(error: Error, port: number): Error {
  if (hasCode(error, 'EADDRINUSE'))
    return new SetupFailed(`port ${port} is in use; set S3_PORT to another, or 0 for a free one`);
  if (hasCode(error, 'EACCES')) return new SetupFailed(`port ${port} needs privileges; set S3_PORT to one above 1023`);
  return error;
}
