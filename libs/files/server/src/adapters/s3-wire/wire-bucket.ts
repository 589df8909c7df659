import { Agent, type Dispatcher, request } from 'undici';
import { clientFor, type S3Options } from '../s3/s3-client';
import { RequestSigner, type SigningCredentials } from './signature';

export interface WireRequest {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'DELETE';
  /** Empty for the bucket itself. */
  readonly key: string;
  /** Percent-encoded pairs in ascending order, without `?`. */
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
  readonly signal?: AbortSignal;
}

/** As `operations.md` promises; undici measures coarsely, so a limit of 5 s is asked for early. */
const LIMITS = { connect: { timeout: 1_000 }, headersTimeout: 4_000, bodyTimeout: 10_000 } as const;
const CONNECTIONS = 128;

/**
 * One bucket, spoken to without the AWS SDK: the SDK costs four times the CPU of the request it sends. Where the bucket
 * is and who asks, the SDK still decides, so that both find the same.
 */
export class WireBucket {
  readonly #agent = new Agent({ ...LIMITS, connections: CONNECTIONS, pipelining: 1 });

  readonly #url: URL;

  readonly #signer: RequestSigner;
  readonly #credentials: () => Promise<SigningCredentials>;

  constructor(options: S3Options) {
    const { config } = clientFor(options, 1);
    this.#signer = new RequestSigner(options.region);
    this.#credentials = config.credentials;
    const { url } = config.endpointProvider({
      Bucket: options.bucket,
      Region: options.region,
      ForcePathStyle: options.forcePathStyle,
      ...(options.endpoint === undefined ? {} : { Endpoint: options.endpoint }),
    });
    this.#url = url;
  }

  /** The answer to a signed request; its body must be consumed or destroyed. */
  async send({ method, key, query = '', headers = {}, body, signal }: WireRequest): Promise<Dispatcher.ResponseData> {
    const url = this.#url;
    const base = url.pathname.replace(/\/$/, '');
    const path = `${base}/${encodedKey(key)}`;
    const signed = this.#signer.headersFor({ method, host: url.host, path, query }, await this.#credentials());
    return request(`${url.origin}${path}${query === '' ? '' : `?${query}`}`, {
      method,
      dispatcher: this.#agent,
      // After a HEAD undici would close the connection.
      reset: false,
      headers: { ...headers, ...signed },
      ...(body === undefined ? {} : { body }),
      ...(signal === undefined ? {} : { signal }),
    });
  }
}

/** Every byte but the unreserved ones is encoded, as signature version 4 wants it, and slashes stay. */
function encodedKey(key: string): string {
  return key.split('/').map(encodedForQuery).join('/');
}

export function encodedForQuery(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}
