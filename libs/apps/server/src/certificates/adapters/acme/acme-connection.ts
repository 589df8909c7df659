import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { calculateJwkThumbprint, exportJWK, FlattenedSign, type FlattenedJWS, type JWK } from 'jose';
import { type Dispatcher, request } from 'undici';
import { CodedFailure } from '@homeport/platform/server/observability';
import { z } from 'zod';
import { IssuanceFailed } from '../../domain/issuance-failed';
import { type AcmeResponse, failureFrom, hasProblemType } from './acme-problems';

const DIRECTORY = z.looseObject({
  newNonce: z.url(),
  newAccount: z.url(),
  newOrder: z.url(),
  renewalInfo: z.url().optional(),
  meta: z.looseObject({ caaIdentities: z.array(z.string()).optional() }).optional(),
});
export type AcmeDirectory = z.infer<typeof DIRECTORY>;

/** Signs requests: by the URL of the account, or by its key before it is registered. */
export interface AcmeSigner {
  readonly key: KeyObject;
  readonly accountUrl: string | undefined;
}

const REQUEST_LIMIT_MS = 30_000;
const MAX_NONCE_RETRIES = 12;
const MAX_NONCES = 20;
const MAX_BODY_BYTES = 1024 * 1024;
const DIRECTORY_AGE_MS = 3_600_000;

/** Requests to one certificate authority (RFC 8555): directory, nonces and signatures. */
export class AcmeConnection {
  readonly #nonces: string[] = [];
  #directory: { readonly value: AcmeDirectory; readonly readAt: number } | undefined;

  constructor(
    private readonly url: string,
    private readonly dispatcher: Dispatcher,
  ) {}

  /** @throws {IssuanceFailed} */
  async directory(signal: AbortSignal): Promise<AcmeDirectory> {
    if (this.#directory && performance.now() - this.#directory.readAt < DIRECTORY_AGE_MS) return this.#directory.value;
    const parsed = DIRECTORY.safeParse((await this.get(this.url, signal)).body);
    if (!parsed.success) {
      const detail = `no ACME directory is at ${this.url}`;
      throw new IssuanceFailed('unavailable', detail, undefined, { cause: new CodedFailure('NO_DIRECTORY', detail) });
    }
    this.#directory = { value: parsed.data, readAt: performance.now() };
    return parsed.data;
  }

  /** An unsigned read. @throws {IssuanceFailed} */
  async get(url: string, signal: AbortSignal): Promise<AcmeResponse> {
    const response = await this.#send('GET', url, undefined, signal);
    if (response.status >= 400) throw failureFrom(response);
    return response;
  }

  /**
   * A signed request; a rejected nonce is replaced.
   * @param payload undefined reads the resource (POST-as-GET).
   * @throws {IssuanceFailed}
   */
  async post(url: string, payload: unknown, signer: AcmeSigner, signal: AbortSignal): Promise<AcmeResponse> {
    for (let retries = 0; ; retries += 1) {
      const body = await this.#sign(url, payload, signer, signal);
      const response = await this.#send('POST', url, body, signal);
      if (response.status < 400) return response;
      if (!hasProblemType(response.body, 'badNonce') || retries === MAX_NONCE_RETRIES) throw failureFrom(response);
    }
  }

  async #sign(
    url: string,
    payload: unknown,
    { key, accountUrl }: AcmeSigner,
    signal: AbortSignal,
  ): Promise<FlattenedJWS> {
    const nonce = this.#nonces.pop() ?? (await this.#newNonce(signal));
    const bytes = payload === undefined ? new Uint8Array() : Buffer.from(JSON.stringify(payload));
    const identity = accountUrl === undefined ? { jwk: await publicJwk(key) } : { kid: accountUrl };
    return new FlattenedSign(bytes).setProtectedHeader({ alg: 'ES256', nonce, url, ...identity }).sign(key);
  }

  async #newNonce(signal: AbortSignal): Promise<string> {
    const { newNonce } = await this.directory(signal);
    await this.#send('HEAD', newNonce, undefined, signal);
    const nonce = this.#nonces.pop();
    if (nonce === undefined) throw new IssuanceFailed('unavailable', 'the authority returned no nonce');
    return nonce;
  }

  async #send(method: 'GET' | 'HEAD' | 'POST', url: string, body: unknown, signal: AbortSignal): Promise<AcmeResponse> {
    try {
      const response = await request(url, {
        method,
        dispatcher: this.dispatcher,
        headers: { 'user-agent': 'homeport', ...(body !== undefined && { 'content-type': 'application/jose+json' }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: AbortSignal.any([signal, AbortSignal.timeout(REQUEST_LIMIT_MS)]),
      });
      this.#keepNonce(response.headers['replay-nonce']);
      return { status: response.statusCode, headers: response.headers, body: await readBody(response) };
    } catch (cause) {
      if (cause instanceof IssuanceFailed) throw cause;
      throw new IssuanceFailed('unavailable', 'the authority does not answer', undefined, { cause });
    }
  }

  #keepNonce(nonce: string | string[] | undefined): void {
    if (typeof nonce === 'string' && this.#nonces.length < MAX_NONCES) this.#nonces.push(nonce);
  }
}

async function readBody({ headers, body }: Dispatcher.ResponseData): Promise<unknown> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MAX_BODY_BYTES) throw new IssuanceFailed('unavailable', 'the response of the authority is too large');
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString('utf8');
  return /\bjson\b/.test(String(headers['content-type'])) ? parsedOr(text) : text;
}

/** @returns the text itself when it is no JSON. */
function parsedOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

export function publicJwk(key: KeyObject): Promise<JWK> {
  return exportJWK(createPublicKey(key));
}

/** What an answer to a challenge contains (RFC 8555, section 8.1). @param pem of the account. */
export async function keyAuthorization(token: string, pem: string): Promise<string> {
  return `${token}.${await calculateJwkThumbprint(await publicJwk(createPrivateKey(pem)))}`;
}
