import { Route53ServiceException } from '@aws-sdk/client-route-53';
import { DnsFailure } from '../../application/dns-zone.port';

const CODES: Readonly<Record<string, DnsFailure['code']>> = {
  Throttling: 'throttled',
  ThrottlingException: 'throttled',
  RequestLimitExceeded: 'throttled',
  // Another change of the same zone is still in progress.
  PriorRequestNotComplete: 'throttled',
  NoSuchHostedZone: 'zone-missing',
  // Raised by the SDK before any call, when it finds no credentials.
  CredentialsProviderError: 'access-denied',
  TimeoutError: 'timeout',
};
/** The SDK also reports a broken connection as a TimeoutError. */
const BROKEN = ['ECONNRESET', 'EPIPE'];
/** Covers all credential errors except those with status 400. */
const FORBIDDEN = [401, 403];
const FORBIDDEN_NAMES = ['AccessDenied', 'IncompleteSignature', 'ExpiredToken', 'OptInRequired'];

/**
 * Whether Route 53 rejected the batch because of the zone's content. The SDK reports `Unknown` for the documented form
 * of InvalidChangeBatch, `<InvalidChangeBatch><Messages>`, because it has no error code.
 */
export function isBatchRefused(error: unknown): boolean {
  if (!(error instanceof Route53ServiceException)) return false;
  const isNameless = error.name === 'Unknown' && error.$metadata.httpStatusCode === 400;
  return error.name === 'InvalidChangeBatch' || isNameless;
}

export function isChangeExpired(error: unknown): boolean {
  return error instanceof Route53ServiceException && error.name === 'NoSuchChange';
}

export function route53FailureOf(cause: unknown, signal: AbortSignal): DnsFailure {
  if (cause instanceof DnsFailure) return cause;
  if (signal.aborted) return new DnsFailure('timeout', { cause });
  const { name = '', code = '' } = Object(cause) as { name?: string; code?: string };
  if (BROKEN.includes(code)) return new DnsFailure('provider-unavailable', { cause });
  return new DnsFailure(CODES[name] ?? (isForbidden(cause) ? 'access-denied' : 'provider-unavailable'), { cause });
}

function isForbidden(error: unknown): boolean {
  if (!(error instanceof Route53ServiceException)) return false;
  const { httpStatusCode = 0 } = error.$metadata;
  return FORBIDDEN.includes(httpStatusCode) || FORBIDDEN_NAMES.some((name) => error.name.startsWith(name));
}
