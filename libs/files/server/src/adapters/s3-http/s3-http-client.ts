import { RESPONSE_TIMEOUT_MS, BODY_IDLE_TIMEOUT_MS, createS3Client, type S3Options } from '@homeport/platform/server';
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
  /** Whether the answer is wanted whole, however long it is. */
  readonly isBodyBuffered?: boolean;
  /** What is left of the time for the answer. */
  readonly limitMs?: number;
}

/** As `operations.md` promises; how long an answer may take to begin, every request says itself. */
const LIMITS = { connect: { timeout: 1_000 }, headersTimeout: 0, bodyTimeout: BODY_IDLE_TIMEOUT_MS } as const;
const CONNECTIONS = 128;

/**
 * One bucket, spoken to without the AWS SDK: the SDK costs four times the CPU of the request it sends. Where the bucket
 * is and who asks, the SDK still decides, so that both find the same.
 */
export class S3HttpClient {
  readonly #agent = new Agent({ ...LIMITS, connections: CONNECTIONS, pipelining: 1 });
  /** Keeps no connection. */
  readonly #fresh = new Agent({ ...LIMITS, connections: CONNECTIONS, pipelining: 0 });
  readonly #origin: string;
  readonly #host: string;
  /** What stands before the key in every path. */
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

  /** The answer to a signed request. @throws {StorageTimeout} @throws {Error} of undici. */
  async send(request: S3Request): Promise<S3Response> {
    return sendRequest(this.#agent, await this.#optionsFor(request));
  }

  /** The same over a new connection: where one that was kept turned out to be closed, others are too. */
  async sendOnNewConnection(request: S3Request): Promise<S3Response> {
    return sendRequest(this.#fresh, { ...(await this.#optionsFor(request)), reset: true });
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
    const path = `${this.#base}${encodedKey(key)}`;
    const signed = this.#signer.headersFor({ method, host: this.#host, path, query }, await this.#credentials());
    return {
      origin: this.#origin,
      path: query === '' ? path : `${path}?${query}`,
      method,
      // After a HEAD undici would close the connection.
      reset: false,
      headers: headers === undefined ? signed : { ...headers, ...signed },
      ...(body === undefined ? {} : { body }),
      leaving: signal,
      isBodyBuffered,
      limitMs,
    };
  }
}

/** Every byte but the unreserved ones is encoded, as signature version 4 wants it, and slashes stay. */
function encodedKey(key: string): string {
  return UNRESERVED.test(key) ? key : key.split('/').map(encodedForQuery).join('/');
}

const UNRESERVED = /^[\w.~/-]*$/;

export function encodedForQuery(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}
