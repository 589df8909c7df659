import type { DnsError } from '@homeport/apps/contracts';

/** The public DNS records of the platform domain. */
export abstract class DnsZone {
  /**
   * Makes `hostname` a CNAME of `target`. Repeating it is harmless; a record somebody else made is never replaced.
   * @throws {DnsFailure}
   */
  abstract point(hostname: string, target: string, signal: AbortSignal): Promise<void>;

  /**
   * Removes the CNAME of `hostname` if it points at `target`. Absent already is success.
   * @throws {DnsFailure} also when the record points elsewhere.
   */
  abstract remove(hostname: string, target: string, signal: AbortSignal): Promise<void>;

  /** Resolves when the provider answers. @throws {DnsFailure} */
  abstract ready(signal: AbortSignal): Promise<void>;
}

type DnsErrorCode = DnsError['code'];

const MESSAGES: Record<DnsErrorCode, string> = {
  throttled: 'The DNS provider asks us to slow down. Try again in a minute.',
  timeout: 'The DNS provider did not answer in time.',
  'provider-unavailable': 'The DNS provider does not answer right now.',
  'access-denied': 'The DNS provider refused our credentials. An operator has to look at it.',
  'zone-missing': 'The DNS zone of the platform does not exist. An operator has to look at it.',
  'foreign-record': 'Another DNS record already stands at this name. An operator has to look at it.',
  'invalid-record': 'The DNS provider refused the record.',
};
const RETRYABLE: readonly DnsErrorCode[] = ['throttled', 'timeout', 'provider-unavailable'];

/** A DNS change that did not happen. It never reaches a caller as an error: it becomes the app's `dns_error`. */
export class DnsFailure extends Error {
  readonly retryable: boolean;

  constructor(
    readonly code: DnsErrorCode,
    options?: ErrorOptions,
  ) {
    super(MESSAGES[code], options);
    this.retryable = RETRYABLE.includes(code);
  }
}
