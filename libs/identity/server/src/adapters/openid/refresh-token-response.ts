import type * as openid from 'openid-client';
import { boundedFetch } from './bounded-fetch';

/** The identity that the ID token of a refresh must name (OpenID Connect Core, section 12.2). */
export interface ExpectedIdentity {
  readonly issuer: string;
  readonly clientId: string;
  readonly subject: string;
}

/**
 * Reads the response to a refresh before openid-client validates it. The new refresh token replaces the old one at
 * once, so it must be known even if the rest of the response is unusable. The ID token is hidden from openid-client,
 * which would refuse an expired one; its expiry does not matter here.
 */
export class RefreshTokenResponse {
  #refreshToken: string | undefined;
  #idToken: unknown;

  /** The new refresh token; undefined if the response has none. */
  get refreshToken(): string | undefined {
    return this.#refreshToken;
  }

  /** Pass as openid-client's `customFetch`. */
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
   * Whether the ID token names the person, issuer and client of the session; true for a response without an ID token.
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
