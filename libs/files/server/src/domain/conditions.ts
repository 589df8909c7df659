import { matchesETagStrongly, matchesETagWeakly } from '@homeport/platform/server';
import { PreconditionFailed } from './files.errors';

/** Conditions as a caller writes them: header values, already checked for their syntax. */
export interface RequestConditions {
  /** `*`, or entity tags of which one must be the file's, compared strongly. */
  readonly ifMatch?: string;
  /** `*`, or entity tags of which none may be the file's, compared weakly. */
  readonly ifNoneMatch?: string;
}

/** The conditions every object storage can check by itself, in one step with the write. */
export type WriteCondition = { readonly etag: string } | { readonly absent: true } | undefined;

/**
 * Turns what the caller demands into what storage can check: whatever the caller's tags say, the file must still be
 * the one that was looked at when the bytes arrive.
 * @param etag of the file as it is now; undefined when there is none. @throws {PreconditionFailed}
 */
export function writeConditionFor(
  { ifMatch, ifNoneMatch }: RequestConditions,
  etag: string | undefined,
): WriteCondition {
  if (ifMatch !== undefined && !matchesETagStrongly(ifMatch, etag)) throw new PreconditionFailed(etag);
  if (ifNoneMatch !== undefined && matchesETagWeakly(ifNoneMatch, etag)) throw new PreconditionFailed(etag);
  if (ifMatch === undefined && ifNoneMatch === undefined) return undefined;
  return etag === undefined ? { absent: true } : { etag };
}

/** Whether `If-Range` names this very version, by its tag or by the date it was last modified at. */
export function matchesIfRange(
  ifRange: string,
  current: { readonly etag: string; readonly modifiedAt: Date },
): boolean {
  return ifRange === current.etag || ifRange === current.modifiedAt.toUTCString();
}

/**
 * The same without a look at the file, where what the caller demands says it all.
 * @returns undefined when only a look can tell.
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

/** Whether a condition is nothing or one strong tag, which every storage understands. */
export function isAtMostOneTag(header: string | undefined): boolean {
  return header === undefined || /^"[^"]*"$/.test(header);
}
