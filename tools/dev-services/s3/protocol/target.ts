import { S3Error } from './errors.ts';

/** Decoded query parameters in their original order. */
export class Query {
  readonly entries: readonly (readonly [name: string, value: string])[];

  constructor(raw: string) {
    this.entries = raw === '' ? [] : raw.split('&').map(parseParameter);
  }

  has(name: string): boolean {
    return this.entries.some(([candidate]) => candidate === name);
  }

  get(name: string): string | undefined {
    return this.entries.find(([candidate]) => candidate === name)?.[1];
  }

  /** Parses an integer within the bounds; throws InvalidArgument for anything else. */
  integer(name: string, bounds: { min: number; max: number }): number | undefined {
    const value = this.get(name);
    if (value === undefined) return undefined;
    const number = /^\d{1,10}$/.test(value) ? Number(value) : NaN;
    if (!(number >= bounds.min && number <= bounds.max)) {
      throw new S3Error('InvalidArgument', `${name} must be a number from ${bounds.min} to ${bounds.max}`);
    }
    return number;
  }
}

/** The resource of a request. Path style only: `/bucket/key`. */
export interface Target {
  /** The raw path, because the signature covers these exact characters. */
  readonly rawPath: string;
  readonly query: Query;
  readonly bucket: string | undefined;
  /** Undefined for a request to the bucket itself. May contain any characters, also `..`: keys are names, not paths. */
  readonly key: string | undefined;
}

/** S3 allows 1,024 bytes; the extra bytes are for the prefix that the API adds to paths of up to 1,024 bytes. */
const MAX_KEY_BYTES = 1024 + 64;
const ORIGIN_FORM = /^\/[\x21-\x7e]*$/;
const BUCKET_NAME = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;

/** Throws InvalidURI, InvalidBucketName or KeyTooLongError. */
export function parseTarget(url: string): Target {
  if (!ORIGIN_FORM.test(url)) throw new S3Error('InvalidURI');
  const queryStart = url.indexOf('?');
  const rawPath = queryStart < 0 ? url : url.slice(0, queryStart);
  const query = new Query(queryStart < 0 ? '' : url.slice(queryStart + 1));
  const { bucket, key } = splitPath(decode(rawPath.slice(1)));
  return { rawPath, query, bucket, key };
}

/** Splits a decoded `bucket/key`, from a path or an `x-amz-copy-source` header. */
export function splitPath(path: string): Pick<Target, 'bucket' | 'key'> {
  const slash = path.indexOf('/');
  const bucket = slash < 0 ? path : path.slice(0, slash);
  const key = slash < 0 ? '' : path.slice(slash + 1);
  if (bucket === '' && key === '') return { bucket: undefined, key: undefined };
  if (!isBucketName(bucket)) throw new S3Error('InvalidBucketName');
  assertKeyLength(key);
  return { bucket, key: key === '' ? undefined : key };
}

export function isBucketName(name: string): boolean {
  return BUCKET_NAME.test(name) && !name.includes('..');
}

export function assertKeyLength(key: string): void {
  if (key.length * 3 > MAX_KEY_BYTES && Buffer.byteLength(key) > MAX_KEY_BYTES) throw new S3Error('KeyTooLongError');
}

/** Decodes percent-encoded UTF-8; throws InvalidURI for invalid escapes or invalid UTF-8. */
export function decode(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) throw new S3Error('InvalidURI');
    throw error;
  }
}

function parseParameter(parameter: string): readonly [string, string] {
  const equals = parameter.indexOf('=');
  const name = equals < 0 ? parameter : parameter.slice(0, equals);
  const value = equals < 0 ? '' : parameter.slice(equals + 1);
  return [decode(name.replaceAll('+', ' ')), decode(value.replaceAll('+', ' '))];
}
