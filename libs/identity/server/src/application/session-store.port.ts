import type { SignedInPerson } from './identity-provider.port';

/** A browser's session as the server keeps it. Tokens are in the clear here and encrypted at rest. */
export interface StoredSession {
  readonly id: string;
  readonly user: SignedInPerson;
  readonly accessToken: string;
  readonly accessExpiresAt: Date;
  readonly refreshToken?: string;
  readonly createdAt: Date;
  /** When its tokens were made or renewed last. */
  readonly lastUsedAt: Date;
  /** What the browser calls itself. */
  readonly device: string;
}

/** What a person may see of a session that is not the one they are using. */
export interface SessionMetadata extends Pick<StoredSession, 'createdAt' | 'lastUsedAt' | 'device'> {
  readonly handle: string;
}

/** The browser sessions. An id is a secret: adapters keep only a hash of it. */
export abstract class SessionStore {
  /** @throws {DatabaseUnavailable} */
  abstract add(session: StoredSession): Promise<void>;

  /** Undefined when there is none, or its keys are gone. @throws {DatabaseUnavailable} */
  abstract find(id: string): Promise<StoredSession | undefined>;

  /**
   * Claims the right to renew the tokens of a session for a while: refresh tokens work once, so two instances must
   * never both try. `replace` and `release` give the right back, to whoever still has it.
   * @returns when this caller's claim ends, which tells it from every other one; undefined while another caller has it.
   * @throws {DatabaseUnavailable}
   */
  abstract acquireRenewalLease(id: string, forMs: number): Promise<Date | undefined>;

  /**
   * Stores the renewed tokens of a session and ends the claim. A session that was removed stays removed, and one that
   * somebody else has claimed since stays as it is. Repeating it does no harm, and answers false once it worked.
   * @returns whether this call stored it. @throws {DatabaseUnavailable}
   */
  abstract replace(session: StoredSession, claim: Date): Promise<boolean>;

  /** Ends the claim, if it is still this one, and changes nothing else. @throws {DatabaseUnavailable} */
  abstract release(id: string, claim: Date): Promise<void>;

  /** The sessions of a person, the one used last first. @throws {DatabaseUnavailable} */
  abstract listBySubject(subject: string): Promise<readonly SessionMetadata[]>;

  /** Removes the session a person names by its handle, and answers what it held. @throws {DatabaseUnavailable} */
  abstract removeByHandle(subject: string, handle: string): Promise<Pick<StoredSession, 'refreshToken'> | undefined>;

  /** Removes every session that was not used since. @throws {DatabaseUnavailable} */
  abstract removeIdle(since: Date): Promise<void>;

  /** Removes a session and answers what it held. Repeating it is harmless. @throws {DatabaseUnavailable} */
  abstract remove(id: string): Promise<StoredSession | undefined>;
}
