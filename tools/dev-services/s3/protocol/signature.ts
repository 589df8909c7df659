import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import { canonicalRequest } from './canonical-request.ts';
import { S3Error } from './errors.ts';
import { header } from './headers.ts';
import type { RequestHeaders } from './headers.ts';
import type { Target } from './target.ts';

export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

export interface SignedRequest {
  readonly method: string;
  readonly target: Target;
  readonly headers: RequestHeaders;
}

export interface VerifiedRequest {
  readonly presigned: boolean;
  /** `x-amz-content-sha256`: hex digest, `UNSIGNED-PAYLOAD` or `STREAMING-…`; determines how the body is verified. */
  readonly payloadHash: string;
}

/** The parts of a signature, from the Authorization header or the query. */
interface Claim extends VerifiedRequest {
  readonly credential: string;
  readonly signedHeaders: string;
  readonly signature: string;
  /** `20260131T235959Z`. */
  readonly timestamp: string;
}

const MAX_SKEW_MS = 15 * 60 * 1000;
const MAX_EXPIRY_SECONDS = 7 * 24 * 3600;
const ALGORITHM = 'AWS4-HMAC-SHA256';
const AUTHORIZATION = /^AWS4-HMAC-SHA256 +Credential=([^, ]+), *SignedHeaders=([^, ]+), *Signature=([0-9a-f]{64})$/;

/** Verifies Signature Version 4 in headers and presigned URLs. Accepts any region. */
export class SignatureVerifier {
  private readonly credentials: Credentials;
  private readonly now: () => number;
  /** The last derived key: a derivation takes four HMACs, and its inputs change once a day. */
  private derived: { scope: string; key: Buffer } | undefined;

  constructor(credentials: Credentials, now: () => number = Date.now) {
    this.credentials = credentials;
    this.now = now;
  }

  /** Throws AccessDenied, InvalidAccessKeyId, RequestTimeTooSkewed, SignatureDoesNotMatch or a malformed-… error. */
  verify(request: SignedRequest): VerifiedRequest {
    const { headers, target } = request;
    const claim =
      header(headers, 'authorization') === undefined ? this.claimInQuery(request) : this.claimInHeaders(headers);
    const [accessKeyId, ...scope] = splitCredential(claim.credential);
    if (accessKeyId !== this.credentials.accessKeyId) throw new S3Error('InvalidAccessKeyId');
    const [day, region, service, terminator] = scope;
    if (service !== 's3' || terminator !== 'aws4_request' || day !== claim.timestamp.slice(0, 8))
      throw malformed(claim);
    assertAllSigned(headers, claim.signedHeaders.split(';'));
    const canonical = canonicalRequest({ ...claim, method: request.method, target, headers });
    // Node decodes header values as Latin-1; hashing them as Latin-1 restores the signed bytes.
    const digest = hash('sha256', Buffer.from(canonical, 'latin1'));
    const toSign = `${ALGORITHM}\n${claim.timestamp}\n${scope.join('/')}\n${digest}`;
    const expected = createHmac('sha256', this.signingKey(day, region ?? ''))
      .update(toSign)
      .digest();
    if (!timingSafeEqual(expected, Buffer.from(claim.signature, 'hex'))) throw new S3Error('SignatureDoesNotMatch');
    return claim;
  }

  private claimInHeaders(headers: RequestHeaders): Claim {
    const match = AUTHORIZATION.exec(header(headers, 'authorization') ?? '');
    if (!match) throw new S3Error('AuthorizationHeaderMalformed');
    const [, credential = '', signedHeaders = '', signature = ''] = match;
    const timestamp = header(headers, 'x-amz-date') ?? '';
    const time = parseTimestamp(timestamp);
    if (time === undefined) throw new S3Error('AccessDenied', 'A valid x-amz-date header is required');
    if (Math.abs(this.now() - time) > MAX_SKEW_MS) throw new S3Error('RequestTimeTooSkewed');
    const payloadHash = header(headers, 'x-amz-content-sha256');
    if (!payloadHash) throw new S3Error('InvalidRequest', 'Missing required header: x-amz-content-sha256');
    return { presigned: false, credential, signedHeaders, signature, timestamp, payloadHash };
  }

  private claimInQuery({ target: { query }, headers }: SignedRequest): Claim {
    const signature = query.get('X-Amz-Signature');
    if (signature === undefined) throw new S3Error('AccessDenied');
    const timestamp = query.get('X-Amz-Date') ?? '';
    const time = parseTimestamp(timestamp);
    const expires = Number(query.get('X-Amz-Expires') ?? NaN);
    const wellFormed = query.get('X-Amz-Algorithm') === ALGORITHM && /^[0-9a-f]{64}$/.test(signature);
    if (!wellFormed || time === undefined || !(expires >= 1 && expires <= MAX_EXPIRY_SECONDS)) {
      throw new S3Error('AuthorizationQueryParametersError');
    }
    if (time - MAX_SKEW_MS > this.now()) throw new S3Error('AccessDenied', 'Request is not yet valid');
    if (time + expires * 1000 < this.now()) throw new S3Error('AccessDenied', 'Request has expired');
    return {
      presigned: true,
      credential: query.get('X-Amz-Credential') ?? '',
      signedHeaders: query.get('X-Amz-SignedHeaders') ?? '',
      signature,
      timestamp,
      payloadHash: query.get('X-Amz-Content-Sha256') ?? header(headers, 'x-amz-content-sha256') ?? 'UNSIGNED-PAYLOAD',
    };
  }

  private signingKey(day: string, region: string): Buffer {
    const scope = `${day}/${region}`;
    if (this.derived?.scope !== scope) {
      const steps = [day, region, 's3', 'aws4_request'];
      const seed = Buffer.from(`AWS4${this.credentials.secretAccessKey}`);
      const key = steps.reduce((secret, step) => createHmac('sha256', secret).update(step).digest(), seed);
      this.derived = { scope, key };
    }
    return this.derived.key;
  }
}

/** The access key id may contain slashes; the scope is always the last four parts. */
function splitCredential(credential: string): [accessKeyId: string, ...scope: string[]] {
  const parts = credential.split('/');
  return [parts.slice(0, -4).join('/'), ...parts.slice(-4)];
}

function malformed(claim: Claim): S3Error {
  return new S3Error(claim.presigned ? 'AuthorizationQueryParametersError' : 'AuthorizationHeaderMalformed');
}

/** An unsigned `x-amz-` header would let the holder of a link do more than was signed, such as copying any object. */
function assertAllSigned(headers: RequestHeaders, signed: readonly string[]): void {
  const unsigned = Object.keys(headers).filter((name) => name.startsWith('x-amz-') && !signed.includes(name));
  if (!signed.includes('host')) unsigned.push('host');
  if (unsigned.length > 0) {
    throw new S3Error(
      'AccessDenied',
      `There were headers present in the request which were not signed: ${unsigned.join(', ')}`,
    );
  }
}

/** Returns milliseconds since 1970; undefined for an invalid ISO 8601 basic time in UTC. */
function parseTimestamp(timestamp: string): number | undefined {
  const match = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(timestamp);
  if (!match) return undefined;
  const [year, month, day, hour, minute, second] = match.slice(1).map(Number);
  return Date.UTC(year ?? 0, (month ?? 1) - 1, day, hour, minute, second);
}
