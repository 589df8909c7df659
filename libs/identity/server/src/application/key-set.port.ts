import type { KeyObject } from 'node:crypto';
import type { KeyReference } from '../domain/token-policy';

/** The public keys of the identity service. */
export abstract class KeySet {
  /**
   * Finds the key with this id for this algorithm. Cheap to call on every request: fetches are rate-limited.
   * @returns undefined when the issuer is reachable and has no such key.
   * @throws {KeysUnavailable} when the key is unknown and the issuer is unavailable.
   */
  abstract find(name: KeyReference): Promise<KeyObject | undefined>;

  /** Resolves when keys are cached or could be fetched. @throws {KeysUnavailable} */
  abstract ready(): Promise<void>;
}
