/** An external identity provider on the sign-in page: an item of `GET /auth/providers`. */
export interface SignInProvider {
  readonly id: string;
  readonly label: string;
}

/** The signed-in person, as the identity service describes them. */
export interface SessionUser {
  readonly sub: string;
  readonly name?: string;
  readonly email?: string;
  /** Null for a person without an organization: files are available, apps are not. */
  readonly organization: string | null;
  /** For display; absent when the identity service sends no name of the organization. */
  readonly organization_name?: string;
}

/** One session of a person: an item of `GET /auth/sessions`. */
export interface SessionSummary {
  readonly id: string;
  /** The browser's `User-Agent`; may be empty. */
  readonly device: string;
  /** RFC 3339. */
  readonly created_at: string;
  /** RFC 3339; exact to 30 seconds. */
  readonly last_used_at: string;
  /** Whether this is the session of the request. */
  readonly current: boolean;
}

/** `GET /auth/sessions`, most recently used first. */
export interface SessionList {
  readonly items: readonly SessionSummary[];
}

/**
 * Request header of `GET /auth/session`: the SHA-256, base64url, of an access token that the API refused. A session
 * that still holds this token renews it or ends. All requests with the same value share one renewal.
 */
export const REFUSED_TOKEN_HEADER = 'x-refused-token';

/**
 * The `Server-Timing` metric of a page for a browser without a session cookie: `GET /auth/session` would answer 401.
 */
export const NO_SESSION = 'no-session';

/** `GET /auth/session`: a short-lived bearer token for `/api/*`. Clients keep it in memory only. */
export interface BrowserSession {
  readonly access_token: string;
  /** RFC 3339 instant at which `access_token` expires. */
  readonly expires_at: string;
  readonly user: SessionUser;
}
