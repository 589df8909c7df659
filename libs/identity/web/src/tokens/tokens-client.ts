import { HttpClient } from '@angular/common/http';
import { inject, Service } from '@angular/core';
import type {
  AccessToken,
  AccessTokenList,
  CreateAccessToken,
  CreatedAccessToken,
  TokenKind,
} from '@homeport/identity/contracts';
import { responseOf } from '@homeport/platform/web';

const PATHS: Readonly<Record<TokenKind, string>> = { organization: '/api/tokens', personal: '/api/me/tokens' };

/** Calls the API of access tokens. Every method throws `HttpProblem` on failure. */
@Service()
export class TokensClient {
  readonly #http = inject(HttpClient);

  /** Lists all tokens of a kind, newest first. */
  async list(kind: TokenKind, signal?: AbortSignal): Promise<readonly AccessToken[]> {
    const tokens: AccessToken[] = [];
    let cursor: string | null = null;
    do {
      const query: string = cursor === null ? '' : `?${new URLSearchParams({ cursor })}`;
      const page: AccessTokenList = await responseOf(this.#http.get<AccessTokenList>(PATHS[kind] + query), signal);
      tokens.push(...page.items);
      cursor = page.next_cursor;
    } while (cursor !== null);
    return tokens;
  }

  create(kind: TokenKind, token: CreateAccessToken): Promise<CreatedAccessToken> {
    return responseOf(this.#http.post<CreatedAccessToken>(PATHS[kind], token));
  }

  /** Succeeds also for a token that does not exist. */
  async revoke({ kind, id }: Pick<AccessToken, 'kind' | 'id'>): Promise<void> {
    await responseOf(this.#http.delete(`${PATHS[kind]}/${encodeURIComponent(id)}`));
  }
}
