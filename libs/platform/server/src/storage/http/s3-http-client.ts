// The index of undici also loads fetch and WebSocket: 0.1 s of CPU and 4 MiB at every start of the edge and the API.
import { Agent } from 'undici';
import { createS3Client, type S3Options } from '../s3-client';
import { isBrokenConnection } from '../s3-errors';
import type { StorageErrors } from '../storage-errors';
import { RESPONSE_TIMEOUT_MS } from '../storage-timeouts';
import { RequestSigner, type SigningCredentials } from './request-signer';
import { textOf } from './s3-responses';
import { type Buffering, sendRequest, type SendRequestOptions, type S3Response } from './send-request';

export interface S3Request {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'DELETE';
  /** Empty for the bucket itself. */
  readonly key: string;
  /** Percent-encoded pairs in ascending order, without `?`. */
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
  readonly signal?: AbortSignal;
  /** Default: `small` for GET; `always` for other methods, whose responses have no object. */
  readonly buffering?: Buffering;
  /** Milliseconds until the response, including the retry. Default: `RESPONSE_TIMEOUT_MS`. */
  readonly limitMs?: number;
}

export interface S3FinalResponse extends S3Response {
  /** Whether the first attempt failed. It may have been executed nevertheless. */
  readonly isRetry: boolean;
}

/** `sendRequest` limits the time of a response and of its body. */
const LIMITS = { connect: { timeout: 1_000 }, headersTimeout: 0, bodyTimeout: 0 } as const;
const CONNECTIONS = 128;
/** AWS recommends to repeat these: another connection usually reaches another server. */
const TRANSIENT_STATUSES = [500, 502, 503, 504];

/**
 * Accesses one bucket without the AWS SDK, which takes four times the CPU of the request itself. The SDK still resolves
 * the endpoint and the credentials, so both clients use the same ones.
 */
export class S3HttpClient {
  readonly #agent = new Agent({ ...LIMITS, connections: CONNECTIONS, pipelining: 1 });
  /** Does not pool connections. */
  readonly #unpooledAgent = new Agent({ ...LIMITS, connections: CONNECTIONS, pipelining: 0 });
  readonly #origin: string;
  readonly #host: string;
  /** The path prefix before every key. */
  readonly #base: string;
  readonly #signer: RequestSigner;
  readonly #credentials: () => Promise<SigningCredentials>;

  /** @param errors of the domain that uses the client; it throws no others. */
  constructor(
    options: S3Options,
    private readonly errors: StorageErrors,
  ) {
    const { config } = createS3Client(options, 1);
    this.#signer = new RequestSigner(options.region);
    this.#credentials = config.credentials;
    const { url } = config.endpointProvider({
      Bucket: options.bucket,
      Region: options.region,
      ForcePathStyle: options.forcePathStyle,
      ...(options.endpoint === undefined ? {} : { Endpoint: options.endpoint }),
    });
    this.#origin = url.origin;
    this.#host = url.host;
    this.#base = `${url.pathname.replace(/\/$/, '')}/`;
  }

  /**
   * Signs and sends a request. Repeats it once over a new connection, within the same time limit, when the connection
   * breaks before the response, or when S3 reports a transient failure of anything but a conditional write: storage may close an idle connection at any time, and
   * when one pooled connection is closed, the others probably are, too.
   * @returns every other response, including error responses.
   * @throws {DomainError} the storage error of the domain when there is no response, or another server responded.
   */
  async send(request: S3Request): Promise<S3FinalResponse> {
    const { limitMs = RESPONSE_TIMEOUT_MS } = request;
    const startedAt = performance.now();
    try {
      const response = await sendRequest(this.#agent, await this.#optionsFor(request, limitMs));
      const isRepeated = TRANSIENT_STATUSES.includes(response.statusCode) && !isConditionalWrite(request);
      if (!isRepeated) return this.#finalResponse(request, response, false);
    } catch (error) {
      if (!isBrokenConnection(error)) throw this.errors.translate(error);
    }
    const remainingMs = Math.max(1, limitMs - (performance.now() - startedAt));
    try {
      const options = { ...(await this.#optionsFor(request, remainingMs)), reset: true };
      return this.#finalResponse(request, await sendRequest(this.#unpooledAgent, options), true);
    } catch (error) {
      throw this.errors.translate(error);
    }
  }

  #finalResponse({ method }: S3Request, response: S3Response, isRetry: boolean): S3FinalResponse {
    const isWrite = method === 'PUT' || method === 'DELETE';
    // S3 sends no body here, so a body means that another server responded and nothing was stored.
    if (isWrite && response.statusCode < 300 && textOf(response) !== '')
      throw this.errors.invalidResponse('the response to a write has a body');
    return { ...response, isRetry };
  }

  async #optionsFor(request: S3Request, limitMs: number): Promise<SendRequestOptions> {
    const { method, key, query = '', headers, body, signal } = request;
    const { buffering = method === 'GET' ? 'small' : 'always' } = request;
    const path = `${this.#base}${encodeKey(key)}`;
    const signed = this.#signer.headersFor({ method, host: this.#host, path, query }, await this.#credentials());
    return {
      origin: this.#origin,
      path: query === '' ? path : `${path}?${query}`,
      method,
      // By default, undici closes the connection after a HEAD.
      reset: false,
      headers: headers === undefined ? signed : { ...headers, ...signed },
      ...(body === undefined ? {} : { body }),
      signal,
      buffering,
      limitMs,
      errors: this.errors,
    };
  }
}

/** A failed conditional write may be stored, and then its repetition would fail on its own success. */
function isConditionalWrite({ method, headers = {} }: S3Request): boolean {
  return method === 'PUT' && Object.keys(headers).some((name) => /^if-(none-)?match$/i.test(name));
}

/** Encodes everything except unreserved characters and slashes, as Signature Version 4 requires. */
function encodeKey(key: string): string {
  return UNRESERVED.test(key) ? key : key.split('/').map(encodedForQuery).join('/');
}

const UNRESERVED = /^[\w.~/-]*$/;

/** Encodes everything except unreserved characters, as Signature Version 4 requires for queries. */
export function encodedForQuery(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}
