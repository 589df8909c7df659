import { createHash } from 'node:crypto';
import type { Hash } from 'node:crypto';
import { algorithmOfHeader, assertDigest, createChecksummer, statedChecksum } from './checksums.ts';
import type { Checksum, ChecksumAlgorithm, Checksummer } from './checksums.ts';
import { ChunkedDecoder } from './chunked-decoder.ts';
import { S3Error } from './errors.ts';
import { contentEncodings, header } from './headers.ts';
import type { RequestHeaders } from './headers.ts';

/** The request's statements about its body, all of which are verified. */
export interface BodyClaims {
  readonly chunked: boolean;
  /** Bytes of payload, without framing. */
  readonly length: number;
  /** Hex. */
  readonly sha256: string | undefined;
  /** Base64. */
  readonly md5: string | undefined;
  readonly checksum: ChecksumClaim | undefined;
}

interface ChecksumClaim {
  readonly algorithm: ChecksumAlgorithm;
  /** Base64; undefined for a trailing checksum or one that is only computed. */
  readonly value?: string;
  readonly trailing?: boolean;
}

export interface ReceivedBody {
  readonly size: number;
  /** Hex; the ETag of an object from a single upload. */
  readonly md5: string;
  readonly checksum: Checksum | undefined;
}

const MAX_BODY_BYTES = 5 * 1024 ** 3;

/**
 * Reads the claims. Throws MissingContentLength, EntityTooLarge, InvalidDigest or InvalidRequest.
 * @param computed an algorithm to compute when the request states no checksum
 */
export function bodyClaims(headers: RequestHeaders, payloadHash: string, computed?: ChecksumAlgorithm): BodyClaims {
  const chunked = payloadHash.startsWith('STREAMING-') || contentEncodings(headers).includes('aws-chunked');
  const announced = header(headers, chunked ? 'x-amz-decoded-content-length' : 'content-length');
  if (announced === undefined || !/^\d{1,15}$/.test(announced)) throw new S3Error('MissingContentLength');
  const length = Number(announced);
  if (length > MAX_BODY_BYTES) throw new S3Error('EntityTooLarge');
  const md5 = header(headers, 'content-md5');
  if (md5 !== undefined) assertDigest(md5, 16);
  const sha256 = /^[0-9a-f]{64}$/i.test(payloadHash) ? payloadHash.toLowerCase() : undefined;
  if (!chunked && !sha256 && payloadHash !== 'UNSIGNED-PAYLOAD') {
    throw new S3Error(
      'InvalidArgument',
      'x-amz-content-sha256 must be UNSIGNED-PAYLOAD, STREAMING-… or a SHA-256 in hex',
    );
  }
  const checksum = statedChecksum(headers) ?? trailingChecksum(headers) ?? (computed && { algorithm: computed });
  return { chunked, length, sha256, md5, checksum };
}

function trailingChecksum(headers: RequestHeaders): ChecksumClaim | undefined {
  const trailer = header(headers, 'x-amz-trailer');
  if (trailer === undefined) return undefined;
  const algorithm = algorithmOfHeader(trailer.trim());
  if (!algorithm)
    throw new S3Error('InvalidRequest', 'The value specified in the x-amz-trailer header is not supported');
  return { algorithm, trailing: true };
}

/**
 * Passes the payload to the sink in chunks and verifies it. Resolves only when every claim is correct; otherwise the
 * received data must not be used.
 */
export async function receiveBody(
  source: AsyncIterable<Buffer>,
  claims: BodyClaims,
  sink: (piece: Buffer) => void | Promise<void>,
): Promise<ReceivedBody> {
  const decoder = claims.chunked ? new ChunkedDecoder() : undefined;
  const digests = new Digests(claims);
  for await (const bytes of source) {
    for (const piece of decoder ? decoder.decode(bytes) : [bytes]) {
      digests.update(piece);
      const accepted = sink(piece);
      if (accepted) await accepted;
    }
  }
  decoder?.finish();
  return digests.verify(decoder?.trailers);
}

class Digests {
  private readonly claims: BodyClaims;
  private readonly md5 = createHash('md5');
  private readonly sha256: Hash | undefined;
  private readonly checksummer: Checksummer | undefined;
  private size = 0;

  constructor(claims: BodyClaims) {
    this.claims = claims;
    this.sha256 = claims.sha256 === undefined ? undefined : createHash('sha256');
    this.checksummer = claims.checksum && createChecksummer(claims.checksum.algorithm);
  }

  update(piece: Buffer): void {
    this.size += piece.length;
    if (this.size > this.claims.length) throw new S3Error('InvalidRequest', 'The body is longer than announced');
    this.md5.update(piece);
    this.sha256?.update(piece);
    this.checksummer?.update(piece);
  }

  verify(trailers: ReadonlyMap<string, string> | undefined): ReceivedBody {
    const { claims, size } = this;
    if (size !== claims.length) throw new S3Error('IncompleteBody');
    if (this.sha256 && this.sha256.digest('hex') !== claims.sha256) throw new S3Error('XAmzContentSHA256Mismatch');
    const md5 = this.md5.digest();
    if (claims.md5 && md5.toString('base64') !== claims.md5) throw new S3Error('BadDigest');
    return { size, md5: md5.toString('hex'), checksum: this.verifyChecksum(trailers) };
  }

  private verifyChecksum(trailers: ReadonlyMap<string, string> | undefined): Checksum | undefined {
    const claim = this.claims.checksum;
    if (!claim || !this.checksummer) return undefined;
    const value = this.checksummer.digest().toString('base64');
    const stated = claim.trailing ? trailers?.get(`x-amz-checksum-${claim.algorithm}`) : claim.value;
    if (claim.trailing && stated === undefined) throw new S3Error('InvalidRequest', 'The announced trailer is missing');
    if (stated !== undefined && stated !== value) {
      throw new S3Error('BadDigest', `The ${claim.algorithm} you specified did not match the calculated checksum.`);
    }
    return { algorithm: claim.algorithm, value, type: 'FULL_OBJECT' };
  }
}
