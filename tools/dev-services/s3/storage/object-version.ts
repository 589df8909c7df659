import type { Checksum } from '../protocol/checksums.ts';
import type { StoredHeaders } from '../protocol/headers.ts';

/** The description of one version of an object; immutable once written. */
export interface ObjectDescription {
  readonly key: string;
  readonly size: number;
  /** Without quotes. */
  readonly etag: string;
  /** Milliseconds since 1970. */
  readonly modified: number;
  readonly headers: StoredHeaders;
  readonly checksum?: Checksum | undefined;
  /** The multipart upload that created it, to recognise a repeated completion. */
  readonly uploadId?: string | undefined;
  /** The blob file with the bytes. Absent for small objects, whose bytes follow the description in the record file. */
  readonly blob?: string | undefined;
}

export interface ObjectVersion extends ObjectDescription {
  /** Offset of the bytes in their file. */
  readonly offset: number;
}

/** Validates a description from disk. Returns undefined when it is invalid. */
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
