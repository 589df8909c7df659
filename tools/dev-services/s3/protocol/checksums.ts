import { createHash } from 'node:crypto';
import type { Hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { Crc32c, Crc64Nvme } from './crc.ts';
import { S3Error } from './errors.ts';
import { header } from './headers.ts';
import type { RequestHeaders } from './headers.ts';

/** Digest lengths in bytes, by the suffix of `x-amz-checksum-…`. */
const DIGEST_BYTES = { crc32: 4, crc32c: 4, crc64nvme: 8, sha1: 20, sha256: 32 } as const;

export type ChecksumAlgorithm = keyof typeof DIGEST_BYTES;
/** COMPOSITE: a digest over the digests of the parts, `…-<number of parts>`. */
export type ChecksumType = 'FULL_OBJECT' | 'COMPOSITE';

export interface Checksum {
  readonly algorithm: ChecksumAlgorithm;
  /** Base64; composite ones end in `-<number of parts>`. */
  readonly value: string;
  readonly type: ChecksumType;
}

export interface Checksummer {
  update(data: Uint8Array): void;
  digest(): Buffer;
}

const ALGORITHMS = Object.keys(DIGEST_BYTES) as ChecksumAlgorithm[];
const HEADER_PREFIX = 'x-amz-checksum-';

export function createChecksummer(algorithm: ChecksumAlgorithm): Checksummer {
  switch (algorithm) {
    case 'crc32':
      return new Crc32();
    case 'crc32c':
      return new Crc32c();
    case 'crc64nvme':
      return new Crc64Nvme();
    case 'sha1':
    case 'sha256':
      return createHash(algorithm) as Hash;
  }
}

/** Parses a name such as `CRC32`. Throws InvalidRequest for an unknown one. */
export function parseAlgorithm(name: string): ChecksumAlgorithm {
  const found = ALGORITHMS.find((algorithm) => algorithm === name.toLowerCase());
  if (!found) throw new S3Error('InvalidRequest', `Unknown checksum algorithm: ${name}`);
  return found;
}

/** Returns the algorithm of a header name such as `x-amz-checksum-crc32`; undefined for other names. */
export function algorithmOfHeader(name: string): ChecksumAlgorithm | undefined {
  return ALGORITHMS.find((algorithm) => name.toLowerCase() === HEADER_PREFIX + algorithm);
}

/**
 * Returns the checksum in the request headers. Throws InvalidRequest for several, InvalidDigest for invalid base64.
 * @param composite whether to accept a checksum over parts, `…-<number of parts>`
 */
export function statedChecksum(
  headers: RequestHeaders,
  { composite }: { composite: boolean } = { composite: false },
): Pick<Checksum, 'algorithm' | 'value'> | undefined {
  const stated = ALGORITHMS.filter((algorithm) => header(headers, HEADER_PREFIX + algorithm) !== undefined);
  if (stated.length > 1) throw new S3Error('InvalidRequest', 'Expecting a single x-amz-checksum- header');
  const algorithm = stated[0];
  if (!algorithm) return undefined;
  const value = header(headers, HEADER_PREFIX + algorithm) ?? '';
  assertDigest(composite ? value.replace(/-\d+$/, '') : value, DIGEST_BYTES[algorithm]);
  return { algorithm, value };
}

/** Throws InvalidDigest unless the value is the base64 of that many bytes. */
export function assertDigest(value: string, bytes: number): void {
  const decoded = Buffer.from(value, 'base64');
  if (decoded.length !== bytes || decoded.toString('base64') !== value) throw new S3Error('InvalidDigest');
}

/** Returns the XML element name, such as `ChecksumCRC32`. */
export function checksumElement(algorithm: ChecksumAlgorithm): string {
  return `Checksum${algorithm.toUpperCase()}`;
}

export function checksumElements(): readonly (readonly [ChecksumAlgorithm, string])[] {
  return ALGORITHMS.map((algorithm) => [algorithm, checksumElement(algorithm)] as const);
}

export function checksumHeaders(checksum: Checksum | undefined): Record<string, string> {
  return checksum ? { ...checksumValueHeader(checksum), 'x-amz-checksum-type': checksum.type } : {};
}

/** For parts of an upload, which have no checksum type. */
export function checksumValueHeader(checksum: Checksum | undefined): Record<string, string> {
  return checksum ? { [HEADER_PREFIX + checksum.algorithm]: checksum.value } : {};
}

/** Computes the checksum of a multipart object from the checksums of its parts. */
export function compositeChecksum(algorithm: ChecksumAlgorithm, parts: readonly string[]): Checksum {
  const checksummer = createChecksummer(algorithm);
  for (const part of parts) checksummer.update(Buffer.from(part, 'base64'));
  return { algorithm, value: `${checksummer.digest().toString('base64')}-${parts.length}`, type: 'COMPOSITE' };
}

class Crc32 implements Checksummer {
  private state = 0;

  update(data: Uint8Array): void {
    this.state = crc32(data, this.state);
  }

  digest(): Buffer {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(this.state);
    return bytes;
  }
}
