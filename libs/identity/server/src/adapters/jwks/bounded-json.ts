import { CodedFailure } from '@homeport/platform/server/observability';

/** Time and size limits of one fetch. */
export interface FetchLimits {
  readonly timeoutMs: number;
  readonly maxBytes: number;
}

/** Sends a request, like the global `fetch`. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** The limits for documents of the issuer: requests wait for them, and they are small. */
export const ISSUER_LIMITS: FetchLimits = { timeoutMs: 1_500, maxBytes: 256 * 1024 };

/**
 * Fetches a JSON document from a server that may be slow, endless or hostile. The time limit covers the whole body, the
 * size is counted while the body arrives, redirects are rejected.
 * @param send limits the servers that can be contacted; by default there is no limit.
 * @throws {Error} for every response but a 200 with a JSON body within the limits.
 */
export async function fetchBoundedJson(url: string, limits: FetchLimits, send: Fetch = fetch): Promise<unknown> {
  const { host } = new URL(url);
  const response = await send(url, {
    signal: AbortSignal.timeout(limits.timeoutMs),
    redirect: 'error',
    headers: { accept: 'application/json' },
  });
  if (response.status !== 200 || !response.body) {
    await response.body?.cancel();
    throw new CodedFailure(`HTTP_${response.status}`, `${host} answered ${response.status}`);
  }
  return JSON.parse(await boundedText(response, limits.maxBytes, host));
}

/**
 * Reads a body as text, counts its bytes while they arrive and cancels it beyond the limit.
 * @param host names the sender in the error.
 * @throws {CodedFailure} `TOO_LARGE`.
 */
export async function boundedText(response: Response, maxBytes: number, host: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > maxBytes) throw new CodedFailure('TOO_LARGE', `${host} sent more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
