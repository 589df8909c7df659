import { CodedFailure } from '@homeport/platform/server';

/** The discovery document is that of another issuer than the configured one. */
export function issuerMismatch(expected: string, found: unknown): CodedFailure {
  const named = typeof found === 'string' ? found : 'none';
  const text = `the discovery document belongs to another issuer: ${named}, not ${expected}`;
  return new CodedFailure('ISSUER_MISMATCH', text);
}

/** What openid-client says about an attribute of a document that is not as expected. */
interface AttributeMismatch {
  readonly attribute?: unknown;
  readonly body?: { readonly issuer?: unknown };
}

/**
 * Names an issuer mismatch, which the library reports as any other attribute that differs. Its errors hold the document
 * in their cause, or in that of the error they wrap. @returns every other failure as it is.
 */
export function discoveryFailureOf(error: unknown, issuer: string): unknown {
  const mismatch = [error, causeIn(error)].map((each) => causeIn(each) as AttributeMismatch | undefined);
  const found = mismatch.find((each) => each?.attribute === 'issuer');
  return found ? issuerMismatch(issuer, found.body?.issuer) : error;
}

function causeIn(value: unknown): unknown {
  return (value as { readonly cause?: unknown } | undefined)?.cause;
}
