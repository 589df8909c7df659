import { matchesETagStrongly, matchesETagWeakly } from '@homeport/kernel';
import { PreconditionFailed } from './files.errors';

/** Conditions from request headers, with valid syntax. */
export interface RequestConditions {
  /** `*`, or entity tags; one must match the file's tag in a strong comparison. */
  readonly ifMatch?: string;
  /** `*`, or entity tags; none may match the file's tag in a weak comparison. */
  readonly ifNoneMatch?: string;
}

/** The conditions that S3 defines for a write. `Capabilities` handles endpoints that ignore them. */
export type WriteCondition = { readonly etag: string } | { readonly absent: true } | undefined;

/**
 * Checks request conditions against the current version and converts them to a condition for storage: the file must
 * still have this version when the bytes arrive.
 * @param etag of the current version; undefined when the file does not exist.
 * @throws {PreconditionFailed}
 */
export function evaluatePreconditions(
  { ifMatch, ifNoneMatch }: RequestConditions,
  etag: string | undefined,
): WriteCondition {
  if (ifMatch !== undefined && !matchesETagStrongly(ifMatch, etag)) throw new PreconditionFailed(etag);
  if (ifNoneMatch !== undefined && matchesETagWeakly(ifNoneMatch, etag)) throw new PreconditionFailed(etag);
  if (ifMatch === undefined && ifNoneMatch === undefined) return undefined;
  return etag === undefined ? { absent: true } : { etag };
}

/** Whether `If-Range` matches this version by its tag or its modification date. */
export function matchesIfRange(
  ifRange: string,
  current: { readonly etag: string; readonly modifiedAt: Date },
): boolean {
  return ifRange === current.etag || ifRange === current.modifiedAt.toUTCString();
}

/**
 * Converts request conditions without the current version.
 * @returns undefined when the current version is required.
 */
export function writeConditionFromHeaders({
  ifMatch,
  ifNoneMatch,
}: RequestConditions): { readonly condition: WriteCondition } | undefined {
  if (ifMatch === undefined && ifNoneMatch === undefined) return { condition: undefined };
  if (ifMatch === undefined && ifNoneMatch === '*') return { condition: { absent: true } };
  if (ifNoneMatch === undefined && isAtMostOneTag(ifMatch)) return { condition: { etag: ifMatch as string } };
  return undefined;
}

/** Whether a condition is absent or a single strong tag, which every S3 endpoint supports. */
export function isAtMostOneTag(header: string | undefined): boolean {
  return header === undefined || /^"[^"]*"$/.test(header);
}
