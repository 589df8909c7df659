import type { Scope } from './scopes';

/** A token as lists show it, without its secret. */
export interface ApiToken {
  readonly id: string;
  readonly name: string;
  readonly kind: 'organization' | 'personal';
  readonly scopes: readonly Scope[];
  /** The only app that the token may use; null for all apps of the organization. */
  readonly app_id: string | null;
  /** The folder that confines a personal token, ending in `/`; null for the whole workspace. */
  readonly prefix: string | null;
  /** RFC 3339; null for a token that does not expire. */
  readonly expires_at: string | null;
  /** RFC 3339. */
  readonly created_at: string;
  /** The name of the person who created it. */
  readonly created_by: string;
  /** RFC 3339; exact to one minute. Null until the first use. */
  readonly last_used_at: string | null;
}

/** A new token with its secret, which is shown only once. */
export interface CreatedApiToken extends ApiToken {
  readonly token: string;
}

/** `GET /api/tokens` and `GET /api/me/tokens`, newest first. */
export interface ApiTokenList {
  readonly items: readonly ApiToken[];
  readonly next_cursor: string | null;
}

/** Permission for the pipelines of an issuer to receive access tokens for one app. */
export interface Trust {
  readonly id: string;
  readonly app_id: string;
  /** `github`, `gitlab`, or the URL of another issuer. */
  readonly issuer: string;
  /** The required claims of the pipeline's token; a value may end with `*`. */
  readonly claims: Readonly<Record<string, string>>;
  readonly scopes: readonly Scope[];
  /** RFC 3339. */
  readonly created_at: string;
  readonly created_by: string;
  /** RFC 3339: when a pipeline last received an access token; null until then. */
  readonly last_used_at: string | null;
}

/** `GET /api/apps/{id}/trusts`, newest first. */
export interface TrustList {
  readonly items: readonly Trust[];
  readonly next_cursor: string | null;
}

/** `POST /auth/token` (RFC 8693). */
export interface ExchangedToken {
  readonly access_token: string;
  readonly issued_token_type: string;
  readonly token_type: 'Bearer';
  /** Seconds. */
  readonly expires_in: number;
  /** Separated by spaces. */
  readonly scope: string;
}
