import {
  RESPONSE_TIMEOUT_MS,
  BODY_IDLE_TIMEOUT_MS,
  createS3Client,
  type S3Options,
} from '@homeport/platform/server/storage';
import { Agent } from 'undici';
import { RequestSigner, type SigningCredentials } from './request-signer';
import { sendRequest, type SendRequestOptions, type S3Response } from './send-request';

export interface S3Request {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'DELETE';
  /** Empty for the bucket itself. */
  readonly key: string;
  /** Percent-encoded pairs in ascending order, without `?`. */
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
  readonly signal?: AbortSignal;
  /** Whether to buffer the whole response regardless of its length. */
  readonly isBodyBuffered?: boolean;
  /** The remaining time for the response, in milliseconds. */
  readonly limitMs?: number;
}

/** Each request sets the timeout for the start of its response (`limitMs`). */
const LIMITS = { connect: { timeout: 1_000 }, headersTimeout: 0, bodyTimeout: BODY_IDLE_TIMEOUT_MS } as const;
const CONNECTIONS = 128;

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

  constructor(options: S3Options) {
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

  /** Signs and sends a request. @throws {StorageTimeout} @throws {Error} of undici. */
  async send(request: S3Request): Promise<S3Response> {
    return sendRequest(this.#agent, await this.#optionsFor(request));
  }

  /** Sends over a new connection: when one pooled connection is closed, the others probably are, too. */
  async sendOnNewConnection(request: S3Request): Promise<S3Response> {
    return sendRequest(this.#unpooledAgent, { ...(await this.#optionsFor(request)), reset: true });
  }

  async #optionsFor(request: S3Request): Promise<SendRequestOptions> {
    const {
      method,
      key,
      query = '',
      headers,
      body,
      signal,
      isBodyBuffered = false,
      limitMs = RESPONSE_TIMEOUT_MS,
    } = request;
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
      isBodyBuffered,
      limitMs,
    };
  }
}

/** Encodes everything except unreserved characters and slashes, as Signature Version 4 requires. */
function encodeKey(key: string): string {
  return UNRESERVED.test(key) ? key : key.split('/').map(encodedForQuery).join('/');
}

const UNRESERVED = /^[\w.~/-]*$/;

export function encodedForQuery(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}
