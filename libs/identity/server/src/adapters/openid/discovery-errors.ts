import { CodedFailure } from '@homeport/platform/server/observability';

/** The discovery document belongs to another issuer than the configured one. */
export function issuerMismatch(expected: string, found: unknown): CodedFailure {
  const named = typeof found === 'string' ? found : 'none';
  const text = `the discovery document belongs to another issuer: ${named}, not ${expected}`;
  return new CodedFailure('ISSUER_MISMATCH', text);
}

/** openid-client's details about an unexpected attribute of a document. */
interface AttributeMismatch {
  readonly attribute?: unknown;
  readonly body?: { readonly issuer?: unknown };
}

/**
 * Detects an issuer mismatch, which openid-client reports like any other unexpected attribute. Its errors hold the
 * document in their cause, or in the cause of the error they wrap.
 * @returns the mismatch as a `CodedFailure`, or the unchanged error.
 */
export function discoveryFailureOf(error: unknown, issuer: string): unknown {
  const mismatch = [error, causeIn(error)].map((each) => causeIn(each) as AttributeMismatch | undefined);
  const found = mismatch.find((each) => each?.attribute === 'issuer');
  return found ? issuerMismatch(issuer, found.body?.issuer) : error;
}

function causeIn(value: unknown): unknown {
  return (value as { readonly cause?: unknown } | undefined)?.cause;
}
