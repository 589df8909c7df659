import { CodedFailure } from '@homeport/platform/server';
import { ClientError } from 'openid-client';

/** The discovery document is that of another issuer than the configured one. */
export function issuerMismatch(expected: string, found: unknown, options?: ErrorOptions): CodedFailure {
  const named = typeof found === 'string' ? found : 'none';
  return new CodedFailure('ISSUER_MISMATCH', `the discovery document names the issuer ${named}, not ${expected}`, options);
}

/** The library reports an issuer mismatch as any other attribute that differs, with both values in the cause. */
export function discoveryFailureOf(error: unknown, issuer: string): unknown {
  if (!(error instanceof ClientError) || error.code !== 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED') return error;
  const { cause } = (error.cause ?? {}) as { cause?: { attribute?: unknown; body?: { issuer?: unknown } } };
  return cause?.attribute === 'issuer' ? issuerMismatch(issuer, cause.body?.issuer, { cause: error.message }) : error;
}
