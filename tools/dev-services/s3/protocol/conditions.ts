import { S3Error } from './errors.ts';
import { header } from './headers.ts';
import type { RequestHeaders } from './headers.ts';

/** The version properties that conditions compare: the ETag without quotes, and the modification time. */
export interface Conditioned {
  readonly etag: string;
  /** Milliseconds since 1970. */
  readonly modified: number;
}

/** Throws when the current version (undefined for a missing object) forbids the change. */
export type Precondition = (current: Conditioned | undefined) => void;

/**
 * Conditions of PutObject, CompleteMultipartUpload and the target
 * of CopyObject. Throws NotImplemented for others, like S3.
 */
export function writePrecondition(headers: RequestHeaders): Precondition {
  const ifMatch = header(headers, 'if-match');
  const ifNoneMatch = header(headers, 'if-none-match');
  if (ifNoneMatch !== undefined && ifNoneMatch.trim() !== '*') {
    throw new S3Error('NotImplemented', 'Writes understand If-None-Match only with *');
  }
  return (current) => {
    if (ifMatch !== undefined) assertMatch(ifMatch, current);
    if (ifNoneMatch !== undefined && current) throw new S3Error('PreconditionFailed');
  };
}

/** Condition of a delete; without one, a missing object is accepted. */
export function deletePrecondition(ifMatch: string | undefined): Precondition {
  return (current) => {
    if (ifMatch !== undefined) assertMatch(ifMatch, current);
  };
}

function assertMatch(ifMatch: string, current: Conditioned | undefined): void {
  if (!current) throw new S3Error('NoSuchKey');
  if (!listsEtag(ifMatch, current.etag)) throw new S3Error('PreconditionFailed');
}

/** Conditions of a read (RFC 9110, 13.2.2): dates count only without an ETag condition. */
export function assertReadConditions(headers: RequestHeaders, current: Conditioned): void {
  const refused = unmetConditions(headers, current, '');
  if (refused === 'changed') throw new S3Error('PreconditionFailed');
  if (refused === 'unchanged') throw new S3Error('NotModified', undefined, validators(current));
}

/** Conditions on the source of a copy: every unmet condition is a 412. */
export function assertCopySourceConditions(headers: RequestHeaders, source: Conditioned): void {
  if (unmetConditions(headers, source, 'x-amz-copy-source-')) throw new S3Error('PreconditionFailed');
}

/** Whether a range applies to this version (`If-Range`). Dates are compared exactly (RFC 9110). */
export function rangeApplies(headers: RequestHeaders, current: Conditioned): boolean {
  const ifRange = header(headers, 'if-range');
  if (ifRange === undefined) return true;
  const { etag, 'last-modified': modified } = validators(current);
  return ifRange === etag || ifRange === modified;
}

/** Returns the headers that identify a version. */
export function validators(version: Conditioned): { etag: string; 'last-modified': string } {
  return { etag: `"${version.etag}"`, 'last-modified': new Date(version.modified).toUTCString() };
}

function unmetConditions(
  headers: RequestHeaders,
  current: Conditioned,
  prefix: string,
): 'changed' | 'unchanged' | undefined {
  // HTTP dates have whole seconds, so milliseconds of the version are ignored.
  const modified = Math.floor(current.modified / 1000) * 1000;
  const ifMatch = header(headers, `${prefix}if-match`);
  const unmodifiedSince = dateOf(headers, `${prefix}if-unmodified-since`);
  if (ifMatch !== undefined) {
    if (!listsEtag(ifMatch, current.etag)) return 'changed';
  } else if (unmodifiedSince !== undefined && modified > unmodifiedSince) {
    return 'changed';
  }
  const ifNoneMatch = header(headers, `${prefix}if-none-match`);
  const modifiedSince = dateOf(headers, `${prefix}if-modified-since`);
  if (ifNoneMatch !== undefined) {
    if (listsEtag(ifNoneMatch, current.etag)) return 'unchanged';
  } else if (modifiedSince !== undefined && modified <= modifiedSince) {
    return 'unchanged';
  }
  return undefined;
}

/** An unparsable date is ignored (RFC 9110, 13.1.3). */
function dateOf(headers: RequestHeaders, name: string): number | undefined {
  const time = Date.parse(header(headers, name) ?? '');
  return Number.isNaN(time) ? undefined : time;
}

function listsEtag(list: string, etag: string): boolean {
  return list.split(',').some((candidate) => candidate.trim() === '*' || bareEtag(candidate) === etag);
}

/** Removes quotes and the weak prefix: clients omit quotes, and proxies weaken ETags. */
export function bareEtag(etag: string): string {
  return etag.trim().replace(/^W\//, '').replace(/^"|"$/g, '');
}
