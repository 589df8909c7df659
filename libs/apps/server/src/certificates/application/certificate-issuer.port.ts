import type { CertificateOrder, IssuedCertificate, OrderProgress } from '../domain/certificate-order';
import type { RenewalWindow } from '../domain/renewal-time';

/**
 * How far an order is. `waiting`: continue it later. `managed`: the issuer keeps the certificate, serves and renews it.
 */
export type IssuanceStep =
  | { readonly outcome: 'waiting'; readonly retryAfterMs: number }
  | { readonly outcome: 'issued'; readonly certificate: IssuedCertificate }
  | { readonly outcome: 'managed' };

/** What the authority says about the renewal of a certificate. */
export interface RenewalAdvice {
  readonly window: RenewalWindow;
  /** Milliseconds until it may be asked again. */
  readonly retryAfterMs: number;
}

export interface IssuanceOptions {
  /** Stores where the order was placed, before anything depends on it. */
  readonly save: (progress: OrderProgress) => Promise<void>;
  readonly signal: AbortSignal;
}

/** Gets certificates. Repeating a call is safe: an order whose progress was saved is continued. */
export abstract class CertificateIssuer {
  /** Whether certificates stay with the issuer, which renews them. */
  abstract readonly isManaged: boolean;

  /**
   * Places the order, or continues it as far as possible without a long wait.
   * @throws {IssuanceFailed}
   */
  abstract advance(order: CertificateOrder, options: IssuanceOptions): Promise<IssuanceStep>;

  /**
   * The domains by which CAA records name the authority of an order, or all authorities; empty when it names none.
   * @throws {IssuanceFailed} `unavailable`
   */
  abstract caaIdentities(signal: AbortSignal, order?: CertificateOrder): Promise<readonly string[]>;

  /**
   * When the certificate should be renewed; undefined when the authority gives no advice.
   * @param chain in PEM. @throws {IssuanceFailed} `unavailable`
   */
  abstract renewalAdvice(
    certificate: { readonly chain: string; readonly directory: string },
    signal: AbortSignal,
  ): Promise<RenewalAdvice | undefined>;

  /**
   * Removes what the issuer keeps for claims that have ended. An issuer that keeps nothing does nothing.
   * @param used returns those of the claims that may have a certificate. @throws {IssuanceFailed}
   */
  async removeUnused(
    _used: (claimIds: readonly string[]) => Promise<ReadonlySet<string>>,
    _signal: AbortSignal,
  ): Promise<void> {
    // Certificates that this product keeps are removed with their claims.
  }
}
