import type { SignedInPerson } from './identity-provider.port';

/** A browser session on the server. Tokens are in plain text here and encrypted at rest. */
export interface StoredSession {
  readonly id: string;
  readonly user: SignedInPerson;
  readonly accessToken: string;
  readonly accessExpiresAt: Date;
  readonly refreshToken?: string;
  readonly createdAt: Date;
  /** When its browser last used the API, exact to `USE_INTERVAL_MS`. */
  readonly lastUsedAt: Date;
  /** The browser's `User-Agent`. */
  readonly device: string;
}

/** The part of a session that is shown in the list of sessions. */
export interface SessionMetadata extends Pick<StoredSession, 'createdAt' | 'lastUsedAt' | 'device'> {
  readonly handle: string;
}

/** The store of browser sessions. An id is a secret: adapters store only its hash. */
export abstract class SessionStore {
  /** @throws {DatabaseUnavailable} */
  abstract add(session: StoredSession): Promise<void>;

  /** Undefined when the session does not exist or its encryption key was removed. @throws {DatabaseUnavailable} */
  abstract find(id: string): Promise<StoredSession | undefined>;

  /**
   * Acquires the lease to renew the tokens of a session. Refresh tokens work once, so two instances must never renew at
   * the same time. `replace` and `release` end the lease.
   * @param forMs duration of the lease in milliseconds.
   * @returns the end of the lease, which also identifies it; undefined while another caller holds a lease.
   * @throws {DatabaseUnavailable}
   */
  abstract acquireRenewalLease(id: string, forMs: number): Promise<Date | undefined>;

  /**
   * Stores the renewed tokens of a session and ends the lease. Idempotent; repeated calls return false. Does not
   * restore a removed session and does not overwrite a session that another caller has leased since.
   * @returns whether this call stored the tokens.
   * @throws {DatabaseUnavailable}
   */
  abstract replace(session: StoredSession, lease: Date): Promise<boolean>;

  /** Ends the lease if it is still the current one. @throws {DatabaseUnavailable} */
  abstract release(id: string, lease: Date): Promise<void>;

  /** Lists the sessions of a person, most recently used first. @throws {DatabaseUnavailable} */
  abstract listBySubject(subject: string): Promise<readonly SessionMetadata[]>;

  /** Removes a person's session by its handle and returns its refresh token. @throws {DatabaseUnavailable} */
  abstract removeByHandle(subject: string, handle: string): Promise<Pick<StoredSession, 'refreshToken'> | undefined>;

  /** Removes all sessions of a person and returns their refresh tokens. Idempotent. @throws {DatabaseUnavailable} */
  abstract removeBySubject(subject: string): Promise<readonly Pick<StoredSession, 'refreshToken'>[]>;

  /** Records when a session was used; an earlier time and an unknown session change nothing. @throws {DatabaseUnavailable} */
  abstract recordUse(id: string, at: Date): Promise<void>;

  /** Removes every session not used since then. @throws {DatabaseUnavailable} */
  abstract removeIdle(since: Date): Promise<void>;

  /** Removes a session and returns it. Idempotent. @throws {DatabaseUnavailable} */
  abstract remove(id: string): Promise<StoredSession | undefined>;
}
