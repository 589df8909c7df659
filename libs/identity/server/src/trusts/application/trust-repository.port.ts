import type { ExchangedSubjectToken } from '../domain/exchanged-subject-token';
import type { TrustRecord } from '../domain/trust-record';

/** Stores trusts. Every method can reject with DatabaseUnavailable. */
export abstract class TrustRepository {
  abstract add(trust: TrustRecord): Promise<void>;

  /** Makes other units of work that lock this app wait until this one ends. */
  abstract lock(appId: string): Promise<void>;

  /** Lists the trusts of an app, newest first. */
  abstract list(organization: string, appId: string): Promise<readonly TrustRecord[]>;

  /** Lists the trusts of an app in an issuer, oldest first; none for a malformed app id. */
  abstract findByIssuer(appId: string, issuer: string): Promise<readonly TrustRecord[]>;

  /** @returns the removed trust; undefined when the app of the organization has none with this id. */
  abstract remove(organization: string, appId: string, id: string): Promise<TrustRecord | undefined>;

  /**
   * Records a use, and makes a removal of the trust wait until the unit of work ends.
   * @returns false when the trust no longer exists.
   */
  abstract recordUse(id: string, at: Date): Promise<boolean>;

  /**
   * Records that a token was exchanged. Waits for a unit of work that records the same one.
   * @returns false when it was exchanged for the same app before.
   */
  abstract recordExchange(token: ExchangedSubjectToken): Promise<boolean>;

  /** Removes the records of tokens that expired before a time. */
  abstract removeExpiredExchanges(before: Date): Promise<void>;
}
