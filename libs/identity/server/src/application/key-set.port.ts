import type { KeyObject } from 'node:crypto';
import type { KeyReference } from '../domain/token-policy';

/** The public keys the identity service signs with. */
export abstract class KeySet {
  /**
   * The key with this id and for this algorithm; undefined while the issuer is reachable and has no such key.
   * May be called as often as there are requests: it fetches rarely.
   * @throws {KeysUnavailable} when the key is not known and the issuer cannot be asked.
   */
  abstract find(name: KeyReference): Promise<KeyObject | undefined>;

  /** Resolves when the keys are held or can be fetched now. @throws {KeysUnavailable} */
  abstract ready(): Promise<void>;
}
