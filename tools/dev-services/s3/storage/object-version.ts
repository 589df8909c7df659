import type { Checksum } from '../protocol/checksums.ts';
import type { StoredHeaders } from '../protocol/headers.ts';

/** What is known of one version of an object; never changed once written. */
export interface ObjectDescription {
  readonly key: string;
  readonly size: number;
  /** Without quotes. */
  readonly etag: string;
  /** Milliseconds since 1970. */
  readonly modified: number;
  readonly headers: StoredHeaders;
  readonly checksum?: Checksum | undefined;
  /** The multipart upload it came from, so that a repeated completion is recognised. */
  readonly uploadId?: string | undefined;
  /** The file with the bytes. Absent for small objects, whose bytes follow the description in its own file. */
  readonly blob?: string | undefined;
}

export interface ObjectVersion extends ObjectDescription {
  /** Where the bytes begin in the file that holds them. */
  readonly offset: number;
}

/** Checks a description read from disk. Undefined when it is none. */
export function parseDescription(value: unknown): ObjectDescription | undefined {
  if (!isRecord(value)) return undefined;
  const { key, size, etag, modified, headers, blob } = value;
  const valid =
    typeof key === 'string' &&
    isCount(size) &&
    typeof etag === 'string' &&
    isCount(modified) &&
    isRecord(headers) &&
    Object.values(headers).every((text) => typeof text === 'string') &&
    (blob === undefined || typeof blob === 'string');
  return valid ? (value as unknown as ObjectDescription) : undefined;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
