import type { SessionUser } from '@homeport/identity/contracts';

/** A browser's session as the server keeps it. Tokens are in the clear here and encrypted at rest. */
export interface StoredSession {
  readonly id: string;
  readonly user: SessionUser;
  readonly accessToken: string;
  readonly accessExpiresAt: Date;
  readonly refreshToken?: string;
  readonly createdAt: Date;
}

/** The browser sessions. An id is a secret: adapters keep only a hash of it. */
export abstract class SessionStore {
  /** @throws {DatabaseUnavailable} */
  abstract add(session: StoredSession): Promise<void>;

  /** Undefined when there is none, or its keys are gone. @throws {DatabaseUnavailable} */
  abstract find(id: string): Promise<StoredSession | undefined>;

  /**
   * Claims the right to renew the tokens of a session for a while: refresh tokens work once, so two instances must
   * never both try. `replace` and `release` give the right back.
   * @returns whether this caller has it now. @throws {DatabaseUnavailable}
   */
  abstract claimRenewal(id: string, forMs: number): Promise<boolean>;

  /**
   * Stores the renewed tokens of a session and ends the claim. A session that was removed stays removed.
   * @returns whether the session was still there. @throws {DatabaseUnavailable}
   */
  abstract replace(session: StoredSession): Promise<boolean>;

  /** Ends the claim and changes nothing else. @throws {DatabaseUnavailable} */
  abstract release(id: string): Promise<void>;

  /** Removes a session and answers what it held. Repeating it is harmless. @throws {DatabaseUnavailable} */
  abstract remove(id: string): Promise<StoredSession | undefined>;
}
