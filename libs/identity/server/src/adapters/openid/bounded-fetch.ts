import type { CustomFetch } from 'openid-client';
import { boundedText, ISSUER_LIMITS } from '../jwks/bounded-json';

/**
 * Fetches a response of the issuer for openid-client, which has no size limit.
 * @throws {CodedFailure} `TOO_LARGE`.
 */
export const boundedFetch: CustomFetch = async (url, options) => {
  const response = await fetch(url, options as RequestInit);
  const text = await boundedText(response, ISSUER_LIMITS.maxBytes, new URL(url).host);
  const { status, statusText, headers } = response;
  // `Response` rejects a body for some statuses, such as 204.
  return new Response(text === '' ? null : text, { status, statusText, headers });
};
