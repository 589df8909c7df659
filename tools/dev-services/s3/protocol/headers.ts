import { validateHeaderName, validateHeaderValue } from 'node:http';
import { S3Error } from './errors.ts';
import type { Query } from './target.ts';

/** Request headers by lower-case name; repeated headers are joined with a comma. */
export type RequestHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** Headers that are stored with an object and returned on reads. */
export type StoredHeaders = Readonly<Record<string, string>>;

export function header(headers: RequestHeaders, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(',') : value;
}

const STORED_HEADERS = ['content-type', 'cache-control', 'content-disposition', 'content-language', 'expires'];
const METADATA_PREFIX = 'x-amz-meta-';
const MAX_METADATA_BYTES = 2048;

/** Selects the headers that are stored with the object. Throws MetadataTooLarge. */
export function headersToStore(headers: RequestHeaders): StoredHeaders {
  const stored: Record<string, string> = {};
  for (const name of STORED_HEADERS) {
    const value = header(headers, name);
    if (value) stored[name] = value;
  }
  const encoding = contentEncodings(headers).filter((coding) => coding !== 'aws-chunked');
  if (encoding.length > 0) stored['content-encoding'] = encoding.join(',');
  let metadataBytes = 0;
  for (const name in headers) {
    if (!name.startsWith(METADATA_PREFIX)) continue;
    const value = header(headers, name) ?? '';
    metadataBytes += name.length - METADATA_PREFIX.length + value.length;
    stored[name] = value;
  }
  if (metadataBytes > MAX_METADATA_BYTES) throw new S3Error('MetadataTooLarge');
  return stored;
}

export function contentEncodings(headers: RequestHeaders): string[] {
  const codings = (header(headers, 'content-encoding') ?? '').split(',');
  return codings.map((coding) => coding.trim()).filter((coding) => coding !== '');
}

const OVERRIDES =
  /^response-(content-type|content-language|expires|cache-control|content-disposition|content-encoding)$/;

/** Reads the `response-…` query parameters, with which a link can rename a download. Throws InvalidArgument. */
export function responseOverrides(query: Query): StoredHeaders {
  const overrides: Record<string, string> = {};
  for (const [parameter, value] of query.entries) {
    const name = OVERRIDES.exec(parameter)?.[1];
    if (name) overrides[name] = sendable(name, value);
  }
  return overrides;
}

// SDKs add a checksum of an empty body when they presign an upload. Amazon ignores it in a query; so must this server.
const NOT_HOISTED = /^x-amz-(algorithm|credential|date|expires|signedheaders|signature|checksum-.*|sdk-checksum-.*)$/;

/** Adds the `x-amz-…` query parameters of a presigned request to its headers. Throws InvalidArgument. */
export function withHoistedHeaders(headers: RequestHeaders, query: Query): RequestHeaders {
  const hoisted: Record<string, string> = {};
  for (const [parameter, value] of query.entries) {
    const name = parameter.toLowerCase();
    if (name.startsWith('x-amz-') && !NOT_HOISTED.test(name)) hoisted[name] = sendable(name, value);
  }
  return { ...headers, ...hoisted };
}

/** Validates a query parameter that becomes a header: it may contain any characters. */
function sendable(name: string, value: string): string {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
  } catch {
    throw new S3Error('InvalidArgument', `${name} does not have the form of a header`);
  }
  return value;
}
