import type { DomainCertificate } from '@homeport/apps/contracts';
import type { IssuanceProblem } from './issuance-failed';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

const FIRST_RETRY_MS = MINUTE_MS;
const MAX_RETRY_MS = 12 * HOUR_MS;
/** After so many failures in a row, the next directory is used. */
const FAILURES_PER_DIRECTORY = 3;
/** While the records are wrong, no order is placed, so that looking again costs no limit of the authority. */
const MAX_BLOCKED_MS = HOUR_MS;
const FIRST_BLOCKED_MS = 15 * SECOND_MS;

/** @returns the directory for the next order. @param directories at least one. */
export function directoryAfter(directories: readonly string[], failures: number): string {
  const at = Math.floor(failures / FAILURES_PER_DIRECTORY) % directories.length;
  return directories[at] as string;
}

/**
 * Milliseconds until the next attempt after failures in a row: doubled from 1 minute to 12 hours, never before the time
 * that the authority asks for.
 * @param random from 0 to below 1.
 */
export function retryDelay(failures: number, random: number, retryAfterMs = 0): number {
  const delay = Math.min(FIRST_RETRY_MS * 2 ** Math.max(failures - 1, 0), MAX_RETRY_MS);
  return Math.max(delay * (0.75 + 0.5 * random), retryAfterMs);
}

/** Milliseconds until an order is looked at again whose records are wrong. @param ageMs since it was wanted. */
export function blockedDelay(ageMs: number): number {
  return Math.min(Math.max(ageMs * 0.1, FIRST_BLOCKED_MS), MAX_BLOCKED_MS);
}

/** The state of the certificate after an order was placed. */
export function stateWhileOrdering(hasValidCertificate: boolean): DomainCertificate {
  return hasValidCertificate ? 'renewing' : 'ordering';
}

/**
 * The state of the certificate after a failure. A valid certificate is renewed until it works; an authority that does
 * not answer is news only after some attempts.
 */
export function stateAfterFailure(
  current: DomainCertificate,
  problem: IssuanceProblem,
  { failures, hasValidCertificate }: { readonly failures: number; readonly hasValidCertificate: boolean },
): DomainCertificate {
  if (hasValidCertificate) return current === 'active' || current === 'renewing' ? current : 'active';
  if (problem === 'unavailable' && failures < FAILURES_PER_DIRECTORY) return current;
  return problem === 'lost' ? current : 'failed';
}
