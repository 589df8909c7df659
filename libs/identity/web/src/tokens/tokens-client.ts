import { HttpClient } from '@angular/common/http';
import { inject, Service } from '@angular/core';
import type { ApiToken, ApiTokenList, CreatedApiToken, Scope } from '@homeport/identity/contracts';
import { responseOf } from '@homeport/platform/web';

export type TokenKind = ApiToken['kind'];

/** The body of a request for a new token. */
export interface NewApiToken {
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** For an organization's token: the only app that it can use. */
  readonly app_id?: string;
  /** For a personal token: the only folder that it can use. */
  readonly prefix?: string;
  /** RFC 3339. */
  readonly expires_at?: string;
}

const PATHS: Readonly<Record<TokenKind, string>> = { organization: '/api/tokens', personal: '/api/me/tokens' };

/** Calls the API of access tokens. Every method throws `HttpProblem` on failure. */
@Service()
export class TokensClient {
  readonly #http = inject(HttpClient);

  /** Lists all tokens of a kind, newest first. */
  async list(kind: TokenKind, signal?: AbortSignal): Promise<readonly ApiToken[]> {
    return (await responseOf(this.#http.get<ApiTokenList>(PATHS[kind]), signal)).items;
  }

  create(kind: TokenKind, token: NewApiToken): Promise<CreatedApiToken> {
    return responseOf(this.#http.post<CreatedApiToken>(PATHS[kind], token));
  }

  /** Succeeds also for a token that does not exist. */
  async revoke({ kind, id }: Pick<ApiToken, 'kind' | 'id'>): Promise<void> {
    await responseOf(this.#http.delete(`${PATHS[kind]}/${encodeURIComponent(id)}`));
  }
}
