import { MinimumRate, type MinimumRateOptions } from '@homeport/kernel/node';
import {
  Agent,
  type ClientRequest,
  type IncomingMessage,
  type OutgoingHttpHeader,
  request as sendRequest,
  type ServerResponse,
} from 'node:http';
import type { ChunkPace } from '../../domain/chunk-pace';
import { type BodyPipe, pipeBody } from './pipe-body';

/**
 * `unreachable`: the request was not sent. The others: it was sent, or a part of it. `ended`: the server closed a kept
 * connection and accepts no other; the request may be repeated. `too-slow`: the client was, and others waited.
 * `invalid-response`: no HTTP server may answer that.
 */
export type ForwardFailure =
  'unreachable' | 'ended' | 'disconnected' | 'timeout' | 'too-large' | 'too-slow' | 'invalid-response';

/** A request has no response, and nothing was sent to the client. */
export class ForwardFailed extends Error {
  constructor(
    readonly failure: ForwardFailure,
    options?: ErrorOptions,
  ) {
    super(`The forwarded request failed: ${failure}.`, options);
    this.name = 'ForwardFailed';
  }
}

/** A server on a unix socket. */
export interface Upstream {
  readonly socketPath: string;
  readonly agent: Agent;
}

/** Alternating names and values of header fields, without those of the connection. */
export type RawHeaders = readonly string[];

export interface ForwardOptions {
  readonly to: Upstream;
  /** The target of the forwarded request; that of the request by default. */
  readonly path?: string;
  /** The header fields of the forwarded request. */
  readonly headers: RawHeaders;
  /** @returns the header fields of the response to the client; undefined when the caller answers itself. */
  readonly onResponse: (upstream: IncomingMessage) => RawHeaders | undefined;
  readonly bodyBytes: number;
  readonly firstByteMs: number;
  /** Until the end of the response. */
  readonly responseMs: number;
  readonly pace?: ClientPace;
  /** Delays a server that sends many small chunks. */
  readonly chunkPace?: ChunkPace;
}

/** Watches how fast a client sends the request and reads the response. */
export interface ClientPace {
  readonly minimum: MinimumRateOptions;
  /** Called after each window in which the server waited for the client. */
  readonly onWindow: (isSlow: boolean) => void;
  /** Ends the exchange. */
  readonly signal: AbortSignal;
}

/**
 * Connections for one request. They promise to stay open, because servers close the others right after a response,
 * even if they have not read the whole request: the response would be lost.
 */
class OneRequestAgent extends Agent {
  override keepSocketAlive(): false {
    return false;
  }
}
const ONE_REQUEST = new OneRequestAgent({ keepAlive: true });

/** Methods that may be repeated when a kept connection turns out to be closed. */
const REPEATABLE = new Set(['GET', 'HEAD', 'OPTIONS']);
/** Informational responses (1xx) of one request. */
const MAX_INFORMATIONAL = 16;
/** Reading one takes as long as reading this many chunks of a body. */
const CHUNKS_OF_INFORMATIONAL = 7;
/** Nothing listens, or too many connections wait to be accepted. */
const UNREACHABLE = new Set(['ENOENT', 'ECONNREFUSED', 'EAGAIN']);

/**
 * Forwards a request and streams its body and the response. When the response breaks off, the client's connection is
 * closed, so that a partial response never looks complete.
 * @returns when the response has ended, or the client has disconnected.
 * @throws {ForwardFailed} before anything is sent to the client.
 */
export async function forwardRequest(
  request: IncomingMessage,
  response: ServerResponse,
  options: ForwardOptions,
): Promise<void> {
  if (Number(request.headers['content-length'] ?? 0) > options.bodyBytes) throw new ForwardFailed('too-large');
  const isRepeatable = REPEATABLE.has(request.method ?? '') && !hasBody(request);
  try {
    await new Exchange(request, response, options).run(isRepeatable);
  } catch (error) {
    if (!isRepeatable || !(error instanceof KeptConnectionClosed)) throw error;
    await repeat(request, response, options);
  }
}

async function repeat(request: IncomingMessage, response: ServerResponse, options: ForwardOptions): Promise<void> {
  try {
    await new Exchange(request, response, options).run(false);
  } catch (error) {
    if (!(error instanceof ForwardFailed) || error.failure !== 'unreachable') throw error;
    throw new ForwardFailed('ended', { cause: error });
  }
}

export function hasBody({ headers }: IncomingMessage): boolean {
  const { 'content-length': length, 'transfer-encoding': coding } = headers;
  return coding !== undefined || (length !== undefined && length !== '0');
}

/** The server closed a kept connection at the moment of the request. */
class KeptConnectionClosed extends ForwardFailed {
  constructor(options: ErrorOptions) {
    super('disconnected', options);
  }
}

class Exchange {
  #upstream!: ClientRequest;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #incoming: IncomingMessage | undefined;
  #body: BodyPipe | undefined;
  #informational = 0;
  #rate: MinimumRate | undefined;
  readonly #ended = Promise.withResolvers<undefined>();

  constructor(
    private readonly request: IncomingMessage,
    private readonly response: ServerResponse,
    private readonly options: ForwardOptions,
  ) {}

  /** @param keepsConnection false for a new connection, which no earlier request can have closed. */
  async run(keepsConnection: boolean): Promise<void> {
    const { request, response, options } = this;
    this.#upstream = sendRequest({
      socketPath: options.to.socketPath,
      agent: keepsConnection ? options.to.agent : ONE_REQUEST,
      method: request.method ?? 'GET',
      path: options.path ?? request.url ?? '/',
      headers: framed(request, options.headers),
    });
    this.#upstream.on('response', (upstream) => this.#respond(upstream));
    this.#upstream.on('information', () => this.#onInformation());
    this.#upstream.on('upgrade', (_, tunnel) => {
      tunnel.destroy();
      this.#abort('invalid-response');
    });
    this.#upstream.on('error', (error) => this.#fail(error));
    this.#timer = setTimeout(() => this.#abort('timeout'), options.firstByteMs);
    response.once('close', this.#onClose);
    this.#watchPace();
    if (hasBody(request)) this.#sendBody();
    else this.#upstream.end();
    try {
      await this.#ended.promise;
    } finally {
      clearTimeout(this.#timer);
      response.off('close', this.#onClose);
      this.#rate?.stop();
      options.pace?.signal.removeEventListener('abort', this.#onTooSlow);
    }
  }

  readonly #onTooSlow = (): void => this.#abort('too-slow');

  #watchPace(): void {
    const { pace } = this.options;
    if (!pace) return;
    this.#rate = new MinimumRate(pace.minimum, undefined, pace.onWindow);
    pace.signal.addEventListener('abort', this.#onTooSlow);
  }

  readonly #onClose = (): void => {
    // The client may still send a body whose response it has: the next request on its connection follows.
    this.#body?.stop();
    this.request.resume();
    this.#upstream.destroy();
    this.#ended.resolve(undefined);
  };

  #sendBody(): void {
    const { request, options } = this;
    let bytes = 0;
    const onWritten = (received: number) => {
      bytes += received;
      this.#rate?.received(received);
      if (bytes > options.bodyBytes) this.#onTooLarge();
      else if (!this.#incoming) this.#timer?.refresh();
      if (!this.#upstream.writableNeedDrain) this.#rate?.waiting();
      else this.#upstream.once('drain', () => this.#rate?.waiting());
    };
    const send = () => {
      this.#body = pipeBody(request, this.#upstream, { onWritten });
      this.#rate?.waiting();
      request.once('end', () => this.#rate?.stop());
    };
    // Before the connection is open, the request can still go to another server.
    this.#upstream.once('socket', (socket) => (socket.connecting ? socket.once('connect', send) : send()));
  }

  #onTooLarge(): void {
    if (this.#incoming) this.request.destroy();
    else this.#abort('too-large');
  }

  /** They are not forwarded, and a server could send them without end. */
  #onInformation(): void {
    this.#informational += 1;
    if (this.#informational !== MAX_INFORMATIONAL + 1) return;
    this.#abort('invalid-response');
    // Node reads to the end of the packet, which may have thousands of them.
    process.nextTick(() => this.options.chunkPace?.received(this.#informational * CHUNKS_OF_INFORMATIONAL));
  }

  #respond(upstream: IncomingMessage): void {
    const { response, options } = this;
    if (this.#upstream.destroyed) return;
    if (!hasValidStatus(upstream)) return this.#abort('invalid-response');
    clearTimeout(this.#timer);
    const headers = options.onResponse(upstream);
    this.#incoming = upstream;
    if (headers === undefined) {
      upstream.resume();
      this.#ended.resolve(undefined);
      return;
    }
    // The response may have arrived whole while the client does not read it.
    this.#timer = setTimeout(() => response.destroy(), options.responseMs);
    upstream.on('error', () => response.destroy());
    response.writeHead(upstream.statusCode, headers as OutgoingHttpHeader[]);
    pipeBody(upstream, response, { onWritten: this.#watchReader(upstream), pace: options.chunkPace });
    if (upstream.headers['content-length'] === undefined) flushWithoutBody(upstream, response);
  }

  /** @returns what to call after bytes are written. */
  #watchReader(upstream: IncomingMessage): (bytes: number) => void {
    const { response } = this;
    const rate = this.#rate;
    if (!rate) return () => undefined;
    let written = 0;
    response.on('drain', () => {
      rate.received(written);
      written = 0;
    });
    upstream.once('end', () => rate.waiting());
    return (bytes) => {
      written += bytes;
      if (response.writableNeedDrain) rate.waiting();
    };
  }

  #abort(failure: ForwardFailure): void {
    const failed = new ForwardFailed(failure);
    this.#upstream.destroy(failed);
    // A request whose connection has closed emits no error.
    this.#fail(failed);
  }

  #fail(error: NodeJS.ErrnoException): void {
    // Bytes after a complete response concern the connection alone.
    if (this.#incoming?.complete) return;
    if (this.#incoming) {
      this.response.destroy();
      this.#ended.resolve(undefined);
    } else this.#ended.reject(error instanceof ForwardFailed ? error : this.#failureOf(error));
  }

  #failureOf(cause: NodeJS.ErrnoException): ForwardFailed {
    if (isUnreachable(cause)) return new ForwardFailed('unreachable', { cause });
    return this.#upstream.reusedSocket
      ? new KeptConnectionClosed({ cause })
      : new ForwardFailed('disconnected', { cause });
  }
}

/** Whether a connection was not made, so that nothing was sent. */
export function isUnreachable({ code }: NodeJS.ErrnoException): boolean {
  return UNREACHABLE.has(code ?? '');
}

/** Node's parser accepts any three digits, and its `writeHead` throws on numbers below 100. */
export function hasValidStatus(upstream: IncomingMessage): upstream is IncomingMessage & { statusCode: number } {
  return (upstream.statusCode ?? 0) >= 200;
}

/** Streams start with a head that no byte of the body follows for a while. */
function flushWithoutBody(upstream: IncomingMessage, response: ServerResponse): void {
  let hasBegun = false;
  upstream.once('data', () => (hasBegun = true));
  setImmediate(() => {
    if (!hasBegun && !response.writableEnded && !response.destroyed) response.flushHeaders();
  });
}

/** Adds the framing of the body. Without any, Node would send an empty chunked body with methods such as POST. */
function framed(request: IncomingMessage, headers: RawHeaders): string[] {
  const { 'transfer-encoding': coding, 'content-length': length } = request.headers;
  if (coding !== undefined) return [...headers, 'Transfer-Encoding', 'chunked'];
  const isBodyless = length === undefined && !REPEATABLE.has(request.method ?? '');
  return isBodyless ? [...headers, 'Content-Length', '0'] : [...headers];
}
