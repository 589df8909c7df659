import type { CustomFetch } from 'openid-client';
import { boundedText, ISSUER_LIMITS } from '../jwks/bounded-json';

/**
 * Fetches an answer of the issuer for the library, which would read any number of bytes.
 * @throws {CodedFailure} `TOO_LARGE`.
 */
export const boundedFetch: CustomFetch = async (url, options) => {
  const response = await fetch(url, options as RequestInit);
  const text = await boundedText(response, ISSUER_LIMITS.maxBytes, new URL(url).host);
  const { status, statusText, headers } = response;
  // Some statuses allow no body at all.
  return new Response(text === '' ? null : text, { status, statusText, headers });
};
