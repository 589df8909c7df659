import type { App } from '@homeport/apps/contracts';
import type { CreatedApiToken, ExchangedToken, Trust } from '@homeport/identity/contracts';

export interface ApiResponse<T> {
  readonly status: number;
  readonly headers: Headers;
  /** Undefined when the response has no JSON body. */
  readonly body: T & { readonly code?: string; readonly detail?: string };
}

export interface ApiRequest {
  readonly bearer?: string | undefined;
  readonly json?: unknown;
  readonly headers?: Record<string, string>;
  readonly body?: RequestInit['body'];
}

/** Calls an API with any bearer token. */
export class TokenClient {
  constructor(readonly url: string) {}

  async call<T = Record<string, unknown>>(route: string, request: ApiRequest = {}): Promise<ApiResponse<T>> {
    const [method = 'GET', path = ''] = route.split(' ');
    const { bearer, json, body } = request;
    const response = await fetch(this.url + path, {
      method,
      headers: {
        ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
        ...(json !== undefined && { 'content-type': 'application/json' }),
        ...request.headers,
      },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
      ...(body === undefined ? {} : { body }),
    });
    const text = await response.text();
    const isJson = text !== '' && response.headers.get('content-type')?.includes('json') === true;
    return {
      status: response.status,
      headers: response.headers,
      body: (isJson ? JSON.parse(text) : undefined) as never,
    };
  }

  async register(bearer: string, name: string): Promise<App> {
    return this.#created<App>('POST /api/apps', bearer, { name });
  }

  async createToken(bearer: string, request: object): Promise<CreatedApiToken> {
    return this.#created<CreatedApiToken>('POST /api/tokens', bearer, { name: 'A token', ...request });
  }

  async createPersonalToken(bearer: string, request: object): Promise<CreatedApiToken> {
    return this.#created<CreatedApiToken>('POST /api/me/tokens', bearer, { name: 'A token', ...request });
  }

  async createTrust(bearer: string, app: string, request: object): Promise<Trust> {
    return this.#created<Trust>(`POST /api/apps/${app}/trusts`, bearer, request);
  }

  /** @param form replaces the parameters of a valid request; undefined removes one. */
  exchange(form: Readonly<Record<string, string | undefined>>): Promise<ApiResponse<ExchangedToken & ExchangeError>> {
    const parameters = {
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
      ...form,
    };
    const entries = Object.entries(parameters).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
    return this.call('POST /auth/token', { body: new URLSearchParams(entries as [string, string][]) });
  }

  async #created<T>(route: string, bearer: string, json: object): Promise<T> {
    const { status, body } = await this.call<T>(route, { bearer, json });
    if (status !== 201) throw new Error(`${route} answered ${status}: ${JSON.stringify(body)}`);
    return body;
  }
}

interface ExchangeError {
  readonly error?: string;
  readonly error_description?: string;
}
