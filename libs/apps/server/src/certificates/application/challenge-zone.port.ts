/**
 * The TXT records of the zone in which this installation answers DNS challenges (`ACME_ZONE`): `{claim id}.{zone}`, to
 * which owners point `_acme-challenge` with a CNAME record. A name can have several values, because a certificate for a
 * domain and its wildcard needs one for each. Every method can reject with DnsFailure, or with the reason of the signal;
 * after both the change may have been executed nevertheless. Repeating is always safe. Methods do not retry.
 */
export abstract class ChallengeZone {
  /**
   * Adds a value to the TXT records of a name, and leaves its other values. Does nothing when it is there already.
   * Resolves when all name servers of the zone return it.
   * @param name in lower case, without a trailing dot; below the zone.
   * @param value at most 255 characters of ASCII.
   */
  abstract add(name: string, value: string, signal: AbortSignal): Promise<void>;

  /** Removes one value, and leaves the others. Does nothing when it is absent. Resolves when the zone accepted it. */
  abstract remove(name: string, value: string, signal: AbortSignal): Promise<void>;
}
