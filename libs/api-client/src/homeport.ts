import { ApiProblem, ConnectionFailed } from './api.errors';
import { type BodySource, bodyOf, bytesOf, isStream, type ProgressListener, type RequestBody } from './body-source';
import { isBrowser, sendByXhr } from './browser-upload';
import { type Client, createClient, createConfig } from './generated/client';
import { DEFAULT_RETRIES, type RetryPolicy, waitBeforeRetry } from './retry-policy';

/** @param rejected the token that the API has refused as expired or invalid, to get another one. */
export type TokenProvider = (rejected?: string) => string | undefined | Promise<string | undefined>;

export interface HomeportOptions {
  /** For example `https://homeport.example.com`. */
  readonly baseUrl: string;
  /** An access token, or a function that returns the current one. Public calls need none. */
  readonly token?: string | TokenProvider;
  readonly retries?: Partial<RetryPolicy>;
  /** Sent as `User-Agent`; browsers ignore it. */
  readonly userAgent?: string;
  /** Aborts all requests. */
  readonly signal?: AbortSignal;
  readonly fetch?: (request: Request) => Promise<Response>;
  /** Called with each successful response; an error that it throws rejects the call, without a repeat. */
  readonly inspect?: (response: Response) => void;
}

export interface RawRequest {
  readonly method: string;
  /** Path and query below the base URL. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: BodySource;
  /** Whether to repeat the request after a failure, although its method is not idempotent. */
  readonly isRepeatable?: boolean | undefined;
  readonly onProgress?: ProgressListener | undefined;
  readonly signal?: AbortSignal | undefined;
}

const FILES = '/api/files/';

interface Exchange {
  /** Creates the request of one attempt. */
  readonly create: () => Request;
  readonly sendOnce?: (request: Request) => Promise<Response>;
  readonly isRepeatable?: boolean | undefined;
}

/** A connection to one Homeport installation. Pass its `client` to the generated calls. */
export class Homeport {
  readonly baseUrl: string;
  /** Throws `ApiProblem` and `ConnectionFailed`; adds the token; repeats what is safe to repeat. */
  readonly client: Client;
  /** Aborts all requests, when it was given. */
  readonly signal: AbortSignal | undefined;
  /** The policy in use: the defaults, and the options that replace them. */
  readonly retries: RetryPolicy;
  readonly #options: HomeportOptions;
  readonly #fetch: (request: Request) => Promise<Response>;

  constructor(options: HomeportOptions) {
    this.#options = options;
    this.#fetch = options.fetch ?? ((request) => fetch(request));
    this.signal = options.signal;
    this.retries = { ...DEFAULT_RETRIES, ...options.retries };
    this.baseUrl = options.baseUrl.replace(/\/+$/, '');
    this.client = createClient(createConfig({ baseUrl: this.baseUrl, throwOnError: true, fetch: this.#forward }));
    this.client.interceptors.request.use((request) => new Request(withPlainSlashes(request.url), request));
  }

  /** Sends one request whose body may be a stream. @throws {ApiProblem | ConnectionFailed} */
  send(request: RawRequest): Promise<Response> {
    return this.#repeat(exchangeOf(this.baseUrl + request.path, request));
  }

  /** Generated calls have small bodies, which a copy of the request repeats. */
  readonly #forward = (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init);
    return this.#repeat({ create: () => request.clone() as Request });
  };

  async #repeat({ create, isRepeatable, sendOnce = this.#fetch }: Exchange): Promise<Response> {
    let token = await this.#token();
    let isRenewed = false;
    for (let attempt = 1; ; attempt++) {
      const request = this.#prepare(create(), token);
      const outcome = await outcomeOf(request, sendOnce);
      if (outcome instanceof Response && (outcome.ok || outcome.status === 304)) {
        this.#options.inspect?.(outcome);
        return outcome;
      }
      const response = outcome instanceof Response ? outcome : undefined;
      const renewed = isRenewed ? undefined : await this.#renewedToken(token, response);
      if (renewed !== undefined) {
        token = renewed;
        isRenewed = true;
        await response?.body?.cancel();
        continue;
      }
      const pause = waitBeforeRetry(this.retries, { request, response, attempt, isRepeatable });
      if (pause === undefined) throw outcome instanceof Response ? await ApiProblem.from(outcome) : outcome;
      await response?.body?.cancel();
      await this.retries.wait(pause, request.signal);
    }
  }

  #prepare(created: Request, token: string | undefined): Request {
    const { signal } = this;
    const request = signal ? new Request(created, { signal: AbortSignal.any([signal, created.signal]) }) : created;
    if (token !== undefined) request.headers.set('authorization', `Bearer ${token}`);
    if (this.#options.userAgent !== undefined) request.headers.set('user-agent', this.#options.userAgent);
    return request;
  }

  /** @returns another token when the API has rejected this one and the provider has another. */
  async #renewedToken(token: string | undefined, response: Response | undefined): Promise<string | undefined> {
    if (response?.status !== 401 || token === undefined) return undefined;
    const renewed = await this.#token(token);
    return renewed === token ? undefined : renewed;
  }

  #token(rejected?: string): string | undefined | Promise<string | undefined> {
    const { token } = this.#options;
    if (typeof token === 'function') return token(rejected);
    return rejected === undefined ? token : undefined;
  }
}

function exchangeOf(
  url: string,
  { method, headers = {}, body, onProgress, signal, isRepeatable }: RawRequest,
): Exchange {
  const init: RequestInit = { method, headers, signal: signal ?? null };
  const create = () => new Request(url, init);
  if (body === undefined) return { create, isRepeatable };
  if (onProgress && isBrowser() && !isStream(body)) {
    const bytes = bytesOf(body);
    return { create, sendOnce: (request) => sendByXhr(request, bytes, onProgress), isRepeatable };
  }
  return { create: () => requestWithBody(url, init, bodyOf(body, onProgress)), isRepeatable };
}

function requestWithBody(url: string, init: RequestInit, { body, size }: RequestBody): Request {
  const request = new Request(url, { ...init, body, duplex: 'half' } as RequestInit);
  // Servers reject a body that is too large before they read it.
  if (size !== undefined) request.headers.set('content-length', String(size));
  return request;
}

/** Paths of files keep their slashes: an encoded one is an error there. Other parameters keep theirs encoded. */
function withPlainSlashes(url: string): string {
  const parsed = new URL(url);
  const [before, path] = splitAt(parsed.pathname, FILES);
  parsed.pathname = before + path.replaceAll('%2F', '/');
  return parsed.href;
}

/** @returns the parts before and from the first occurrence of a text. */
function splitAt(text: string, part: string): [string, string] {
  const at = text.indexOf(part);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at)];
}

/** @throws the reason of an abort. */
async function outcomeOf(
  request: Request,
  sendOnce: (request: Request) => Promise<Response>,
): Promise<Response | ConnectionFailed> {
  try {
    return await sendOnce(request);
  } catch (error) {
    request.signal.throwIfAborted();
    return new ConnectionFailed(request.url, error);
  }
}
