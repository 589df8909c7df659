export const CHALLENGE_TYPES = ['http-01', 'tls-alpn-01', 'dns-01'] as const;
export type ChallengeType = (typeof CHALLENGE_TYPES)[number];

/** Where an order was placed. With it, any instance continues the order. */
export interface OrderProgress {
  readonly directory: string;
  readonly url: string;
  /** PEM; empty when the authority keeps the key. */
  readonly privateKey: string;
}

/** A wanted certificate. */
export interface CertificateOrder {
  readonly id: string;
  /** Undefined for the certificate of the platform domain. */
  readonly claimId: string | undefined;
  /** Host names in lower case, also of the form *.example.com. */
  readonly names: readonly string[];
  readonly challenge: ChallengeType;
  /** Undefined before it is placed. */
  readonly progress: OrderProgress | undefined;
  /** Failures since the last success. */
  readonly failures: number;
  /** The certificate that is renewed: its chain in PEM, and where it was ordered. */
  readonly replaces: { readonly chain: string; readonly directory: string | undefined } | undefined;
  readonly createdAt: Date;
  /** Proves that the order was not acquired again since. */
  readonly lease: string;
}

/** The certificate of an order, as issued. */
export interface IssuedCertificate {
  /** PEM, the certificate of the names first. */
  readonly chain: string;
  readonly privateKey: string;
  readonly notBefore: Date;
  readonly notAfter: Date;
  readonly serial: string;
  readonly directory: string;
}
