/** The certificate of a host, with its private key. */
export interface Certificate {
  /** Changes when the certificate or its key changes. */
  readonly version: string;
  /** PEM, the certificate of the host first. */
  readonly chain: string;
  /** PEM. */
  readonly key: string;
  /** Whether browsers are told to open the host by https only (RFC 6797). */
  readonly hsts: boolean;
}

/** Challenges of certificate authorities that edges answer (RFC 8555, RFC 8737). */
export type EdgeChallenge =
  | { readonly type: 'http-01'; readonly name: string; readonly token: string }
  | { readonly type: 'tls-alpn-01'; readonly name: string };

/** A certificate is damaged, or no key opens its private key. */
export class CertificateUnusable extends Error {}

/** Reads certificates and answers to challenges. Every method can reject with DatabaseUnavailable. */
export abstract class CertificateDirectory {
  /**
   * Finds the certificate for a host of the platform, or of a domain that is served: one for exactly this name before a
   * wildcard, and a valid one before an expired one.
   * @param hostname in lower case.
   * @throws {CertificateUnusable} when no key opens the private key.
   */
  abstract findCertificate(hostname: string): Promise<Certificate | undefined>;

  /** @returns the key authorization; undefined for a challenge that is unknown or has expired. */
  abstract findKeyAuthorization(challenge: EdgeChallenge): Promise<string | undefined>;
}

/** Notifies about changed certificates, and about domains that are no longer served. */
export abstract class CertificateChangeFeed {
  /**
   * Listens until the signal is aborted, and reconnects after every failure.
   * @param onChange called with a changed name, which may concern all names below it, or with undefined when changes may
   * have been missed.
   */
  abstract listen(onChange: (name: string | undefined) => void, signal: AbortSignal): void;

  /** Whether all changes are received at this moment. */
  abstract get isConnected(): boolean;
}
