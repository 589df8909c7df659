import type * as openid from 'openid-client';
import { boundedFetch } from './bounded-fetch';

/** Whom the ID token of a renewal has to be about (OpenID Connect Core, section 12.2). */
export interface ExpectedIdentity {
  readonly issuer: string;
  readonly clientId: string;
  readonly subject: string;
}

/**
 * Reads the answer to a refresh before the library judges it. The refresh token in it is the only good one from then on,
 * so it must be known even when something else in the answer is unusable. The library does not see the ID token: it
 * would refuse an expired one, and nothing here depends on when that ends.
 */
export class RefreshTokenResponse {
  #refreshToken: string | undefined;
  #idToken: unknown;

  /** The new refresh token, when there is one. */
  get refreshToken(): string | undefined {
    return this.#refreshToken;
  }

  /** To be used as the library's `customFetch`. */
  readonly fetch: openid.CustomFetch = async (url, options) => {
    const response = await boundedFetch(url, options);
    if (!response.ok) return response;
    const text = await response.text();
    const answer = jsonObjectIn(text);
    const { id_token: idToken, ...rest } = answer ?? {};
    this.#idToken = idToken;
    this.#refreshToken = typeof rest['refresh_token'] === 'string' ? rest['refresh_token'] : undefined;
    const { status, headers } = response;
    const type = headers.get('content-type') ?? '';
    return new Response(answer ? JSON.stringify(rest) : text, { status, headers: { 'content-type': type } });
  };

  /**
   * Whether the ID token is about the person, issuer and client of the session; an answer without one is.
   * @throws {Error} when the ID token cannot be read.
   */
  matchesIdentity({ issuer, clientId, subject }: ExpectedIdentity): boolean {
    if (this.#idToken === undefined) return true;
    const payload = typeof this.#idToken === 'string' ? (this.#idToken.split('.')[1] ?? '') : '';
    const claims = jsonObjectIn(Buffer.from(payload, 'base64url').toString('utf8'));
    if (!claims) throw new Error('the ID token of a renewal cannot be read');
    return claims['iss'] === issuer && claims['sub'] === subject && [claims['aud']].flat().includes(clientId);
  }
}

function jsonObjectIn(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
