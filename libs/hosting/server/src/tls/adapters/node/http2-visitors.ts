import { type IncomingMessage, request as createRequest, type Server } from 'node:http';
import {
  constants,
  type IncomingHttpHeaders,
  performServerHandshake,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { TLSSocket } from 'node:tls';
import { type ConnectionFacts, createInMemoryConnection } from './in-memory-connection';
import { requestFieldsOf, sendInformation, sendResponse } from './http2-messages';

export interface Http2Limits {
  /** Closes a session without requests, as the server does with idle connections. */
  readonly keepAliveMs: number;
  /** Ends a stream that transfers nothing after the server has ended its part. */
  readonly stalledMs: number;
  /** How often each visitor is asked for a sign of life. One who has not answered by the next time has left. */
  readonly pingMs: number;
}

const LIMITS: Http2Limits = { keepAliveMs: 65_000, stalledMs: 30_000, pingMs: 30_000 };
/**
 * Bytes that wait in memory when a server does not read an upload. Every stream may reach it, so that a session holds
 * 25 MiB. With Node's default of 64 KiB, distance would slow uploads down.
 */
const UPLOAD_WINDOW_BYTES = 256 * 1024;
/** Bytes of all uploads on their way. Node asks for more when they arrive, not when they are read. */
const SESSION_WINDOW_BYTES = 1024 * 1024;
const SESSION = {
  settings: { maxConcurrentStreams: 100, initialWindowSize: UPLOAD_WINDOW_BYTES },
  // Browsers send a field for each cookie. The size of all fields is limited to 64 KiB, and by the server to less.
  maxHeaderListPairs: 2_000,
  // Servers of apps may repeat fields that have one value; the visitor decides.
  strictSingleValueFields: false,
};
/** Responses of servers of apps may have more than Node's default of 16 KiB. */
const MAX_RESPONSE_HEADER_BYTES = 128 * 1024;
/** How often sessions without requests are closed after the server stops listening. */
const IDLE_CHECK_MS = 250;
/** Checks before a session without a first request closes. The request may be on its way. */
const CHECKS_BEFORE_FIRST_REQUEST = 8;

interface SessionProgress {
  openStreams: number;
  hadStream: boolean;
}

/**
 * Serves visitors by HTTP/2: passes each request to a server for HTTP/1.1 over a connection in memory, as a proxy in
 * front of the server would. So the limits, the log and the shutdown of the server apply to both protocols.
 */
export class Http2Visitors {
  readonly #sessions = new Map<ServerHttp2Session, SessionProgress>();
  #isDraining = false;

  /** @param server emits `secureConnection` for each connection, and serves it. */
  constructor(
    private readonly server: Pick<Server, 'emit'>,
    private readonly limits = LIMITS,
  ) {}

  /** @param socket has negotiated HTTP/2. */
  accept(socket: TLSSocket): void {
    const session = performServerHandshake(socket, SESSION);
    const progress = { openStreams: 0, hadStream: false };
    // The session forgets the addresses of its socket when the visitor leaves.
    const { remoteAddress, remotePort, localAddress, localPort, servername } = socket as TLSSocket & ConnectionFacts;
    const facts = { remoteAddress, remotePort, localAddress, localPort, servername };
    this.#sessions.set(session, progress);
    session.setLocalWindowSize(SESSION_WINDOW_BYTES);
    // The timeout of the session would not start again after it was reached during a request.
    const idleTimer = setTimeout(() => {
      if (progress.openStreams === 0) session.close();
    }, this.limits.keepAliveMs).unref();
    session.once('close', () => {
      clearTimeout(idleTimer);
      this.#sessions.delete(session);
    });
    session.on('error', () => session.destroy());
    destroyWhenSilent(session, this.limits.pingMs);
    session.on('stream', (stream, headers) => {
      progress.openStreams += 1;
      progress.hadStream = true;
      stream.once('close', () => {
        progress.openStreams -= 1;
        idleTimer.refresh();
      });
      if (this.#isDraining) announceEnd(session);
      this.#forward(stream, headers, facts);
    });
  }

  /** Asks visitors for new connections, which reach another instance. They repeat what came too late for this one. */
  beginDraining(): void {
    if (this.#isDraining) return;
    this.#isDraining = true;
    for (const [session, { hadStream }] of this.#sessions) if (hadStream) announceEnd(session);
  }

  /** Closes each session when its requests are answered. @returns a function that closes the remaining sessions. */
  close(): () => void {
    this.beginDraining();
    let checks = 0;
    const timer = setInterval(() => {
      checks += 1;
      for (const [session, { hadStream }] of this.#sessions) {
        if (hadStream || checks >= CHECKS_BEFORE_FIRST_REQUEST) session.close();
      }
    }, IDLE_CHECK_MS);
    return () => {
      clearInterval(timer);
      for (const session of this.#sessions.keys()) session.destroy();
    };
  }

  #forward(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, facts: ConnectionFacts): void {
    const fail = () => stream.close(constants.NGHTTP2_INTERNAL_ERROR);
    stream.on('error', ignore);
    const fields = requestFieldsOf(headers, stream.endAfterHeaders);
    if (!fields) return stream.respond({ ':status': 400 }, { endStream: true });
    const { client, server } = createInMemoryConnection(facts);
    client.on('error', ignore);
    server.on('error', ignore);
    const request = createRequest({
      createConnection: () => client,
      method: headers[':method'],
      path: headers[':path'],
      headers: fields,
      maxHeaderSize: MAX_RESPONSE_HEADER_BYTES,
    });
    request.maxHeadersCount = 0;
    request.on('error', fail);
    request.on('information', (information) => sendInformation(stream, information));
    request.once('response', (response: IncomingMessage) => sendResponse(stream, response));
    stream.once('close', () => {
      request.destroy();
      // A server that does not read the request would not see that the visitor has left.
      server.destroy();
    });
    // The timeouts of the server end here, but the visitor may not have read or sent everything.
    server.once('close', () => stream.setTimeout(this.limits.stalledMs, () => stream.close(constants.NGHTTP2_CANCEL)));
    // The server may answer before the body arrives.
    if (!stream.endAfterHeaders) request.flushHeaders();
    stream.pipe(request);
    this.server.emit('secureConnection', server);
  }
}

/** Node does not always notice that a visitor has left, such as by a reset while it does not read. */
function destroyWhenSilent(session: ServerHttp2Session, pingMs: number): void {
  let isAnswered = true;
  const timer = setInterval(() => {
    if (!isAnswered) return session.destroy();
    isAnswered = false;
    session.ping(() => (isAnswered = true));
  }, pingMs).unref();
  session.once('close', () => clearInterval(timer));
}

/**
 * Names the last request that is served (GOAWAY). The session stays open for a while, so that the visitor learns it.
 * Node ignores later requests on the session, even when the announcement includes them.
 */
function announceEnd(session: ServerHttp2Session): void {
  if (!session.destroyed) session.goaway(constants.NGHTTP2_NO_ERROR);
}

function ignore(): void {
  // The exchange ends with the `close` event that follows.
}
