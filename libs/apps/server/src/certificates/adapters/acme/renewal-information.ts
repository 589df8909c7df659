import { z } from 'zod';
import type { RenewalAdvice } from '../../application/certificate-issuer.port';
import { IssuanceFailed } from '../../domain/issuance-failed';
import type { AcmeConnection } from './acme-connection';
import { retryAfterOf } from './acme-problems';
import { renewalIdOf } from './certificate-files';

const DATE = z.string().transform((text) => new Date(text));
const RENEWAL_INFORMATION = z.looseObject({ suggestedWindow: z.looseObject({ start: DATE, end: DATE }) });

const HOUR_MS = 3_600_000;
const DEFAULT_RETRY_AFTER_MS = 6 * HOUR_MS;
/** RFC 9773, section 4.3.3: a very long or short time is not useful. */
const [MIN_RETRY_AFTER_MS, MAX_RETRY_AFTER_MS] = [60_000, 24 * HOUR_MS];

/**
 * Asks the authority when to renew a certificate (RFC 9773).
 * @returns undefined when it gives no advice.
 * @throws {IssuanceFailed} `unavailable`
 */
export async function readRenewalAdvice(
  connection: AcmeConnection,
  chain: string,
  signal: AbortSignal,
): Promise<RenewalAdvice | undefined> {
  const { renewalInfo } = await connection.directory(signal);
  const id = await renewalIdOf(chain);
  if (renewalInfo === undefined || id === undefined) return undefined;
  try {
    const response = await connection.get(`${renewalInfo}/${id}`, signal);
    const parsed = RENEWAL_INFORMATION.safeParse(response.body);
    const window = parsed.data?.suggestedWindow;
    if (!window || !(window.start < window.end)) return undefined;
    const retryAfterMs = retryAfterOf(response) ?? DEFAULT_RETRY_AFTER_MS;
    return { window, retryAfterMs: Math.min(Math.max(retryAfterMs, MIN_RETRY_AFTER_MS), MAX_RETRY_AFTER_MS) };
  } catch (error) {
    // A certificate that the authority does not know gets no advice.
    if (error instanceof IssuanceFailed && error.problem === 'lost') return undefined;
    throw error;
  }
}
