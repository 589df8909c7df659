import type { ParsedFilePath } from '@homeport/files/contracts';
import { asHttpProblem, formatNumber, HttpProblem } from '@homeport/platform/web';
import { displayPath, parentOf } from '../../tree/display-path';
import { pathErrorMessage } from '../../tree/path-error-messages';
import { isWithin } from '../../tree/rename-plan';
import type { BrowserRow } from '../grid/rows';

/** The display path of a row. */
export function pathOf(row: BrowserRow): string {
  return row.entry ? displayPath(row.entry.key) : row.directory.path;
}

export function fileCountLabel(count: number): string {
  return count === 1 ? $localize`1 file` : $localize`${formatNumber(count)}:count: files`;
}

/** The number of rows: "3 files", or "3 entries" when some are folders. */
export function rowCountLabel(rows: readonly BrowserRow[]): string {
  return rows.every(({ entry }) => entry)
    ? fileCountLabel(rows.length)
    : $localize`${formatNumber(rows.length)}:count: items`;
}

/** The message for a copied link, which says who can open it: a workspace is private. */
export function linkCopiedMessage(): string {
  return $localize`Link copied. Only you can open it, after signing in.`;
}

/** Why a path is invalid; undefined when it is valid. */
export function pathError(parsed: ParsedFilePath): string | undefined {
  return 'fault' in parsed ? pathErrorMessage(parsed.fault) : undefined;
}

/** Why rows cannot be moved to a directory; undefined when they can. */
export function moveError(rows: readonly BrowserRow[], target: string): string | undefined {
  if (rows.some(({ directory }) => directory && isWithin(target, directory.path))) {
    return $localize`A folder cannot be moved into itself.`;
  }
  return rows.every((row) => parentOf(pathOf(row)) === target) ? $localize`It is already in this folder.` : undefined;
}

/** Replaces the general message of a 412 with the possible causes for a move. */
export function explainConflict(error: unknown): never {
  const problem = asHttpProblem(error);
  if (problem.status !== 412) throw problem;
  throw new HttpProblem({
    kind: problem.kind,
    status: problem.status,
    code: problem.code,
    title: $localize`Not moved`,
    detail: $localize`A file with this name already exists, or this file has changed in the meantime.`,
  });
}
