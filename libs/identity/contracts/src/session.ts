/** One external identity provider a person can choose on the sign-in page: an item of `GET /auth/providers`. */
export interface SignInProvider {
  readonly id: string;
  readonly label: string;
}

/** The signed-in person, as the identity service describes them. */
export interface SessionUser {
  readonly sub: string;
  readonly name?: string;
  readonly email?: string;
  /** Null for a person without an organization: files work, apps do not. */
  readonly organization: string | null;
}

/** One of the places a person is signed in at: an item of `GET /auth/sessions`. */
export interface SessionSummary {
  readonly id: string;
  /** What the browser calls itself (its `User-Agent`); may be empty. */
  readonly device: string;
  /** RFC 3339. */
  readonly created_at: string;
  /** RFC 3339; as old as the access token in use, at most. */
  readonly last_used_at: string;
  /** Whether it is the session that asks. */
  readonly current: boolean;
}

/** `GET /auth/sessions`, the one used last first. */
export interface SessionList {
  readonly items: readonly SessionSummary[];
}

/**
 * What a page sends with `GET /auth/session` when the API refused the token it holds: the token's SHA-256, base64url. A
 * session that still holds that token gets another one, or is over. Everybody else who sends the same is served from
 * that one renewal.
 */
export const REFUSED_TOKEN_HEADER = 'x-refused-token';

/**
 * The `Server-Timing` metric that comes with a page for a browser that sent no session cookie: `GET /auth/session` would
 * find nobody.
 */
export const NO_SESSION = 'no-session';

/** `GET /auth/session`: a short-lived bearer token for `/api/*`, kept in memory only. */
export interface BrowserSession {
  readonly access_token: string;
  /** RFC 3339 instant at which `access_token` stops working. */
  readonly expires_at: string;
  readonly user: SessionUser;
}
