import { type FileEntry, filePathOf, type ParsedFilePath } from '@homeport/files/contracts';
import { nameOf, displayPath } from './display-path';

/** A file and its new key. */
export interface MoveStep {
  readonly entry: FileEntry;
  readonly to: string;
  /** The ETag of the file at the new key that is replaced; without it, the key must be free. */
  readonly replaces?: string;
}

/** The key with another display path; keeps the workspace segment. */
export function withDisplayPath(key: string, shown: string): string {
  return key.slice(0, key.length - displayPath(key).length) + shown;
}

/** The moves that change the display path `from`, a file or a directory with these files, to `to`. */
export function planMove(entries: readonly FileEntry[], from: string, to: string): readonly MoveStep[] {
  return entries.map((entry) => ({
    entry,
    to: withDisplayPath(entry.key, to + displayPath(entry.key).slice(from.length)),
  }));
}

/** Steps whose new keys are free, and steps whose keys are taken by files or by other steps. */
export interface CheckedMoves {
  readonly free: readonly MoveStep[];
  readonly taken: readonly MoveStep[];
}

export function checkMoves(steps: readonly MoveStep[], isTaken: (key: string) => boolean): CheckedMoves {
  const planned = new Set<string>();
  const [free, taken]: [MoveStep[], MoveStep[]] = [[], []];
  for (const step of steps) {
    (planned.has(step.to) || isTaken(step.to) ? taken : free).push(step);
    planned.add(step.to);
  }
  return { free, taken };
}

/** The steps after the user has decided about taken keys. @param find the file at a key. */
export function resolveMoves(
  { free, taken }: CheckedMoves,
  choice: 'replace' | 'keep-both' | 'skip',
  find: (key: string) => FileEntry | undefined,
): readonly MoveStep[] {
  if (choice === 'skip') return free;
  const assigned = new Set(free.map(({ to }) => to));
  const resolved = taken.map((step): MoveStep => {
    const existing = find(step.to);
    // A second step to the same key would replace the file of the first one.
    const canReplace = choice === 'replace' && existing !== undefined && !assigned.has(step.to);
    const to = canReplace ? step.to : availableKey(step.to, (key) => assigned.has(key) || find(key) !== undefined);
    assigned.add(to);
    return canReplace ? { ...step, replaces: existing.etag } : { ...step, to };
  });
  return [...free, ...resolved];
}

/** Whether a directory is the other one or is inside it. */
export function isWithin(directory: string, other: string): boolean {
  return directory === other || directory.startsWith(`${other}/`);
}

/** The first available key of "plan (2).md", "plan (3).md", … */
export function availableKey(key: string, isTaken: (key: string) => boolean): string {
  const name = nameOf(key);
  const dot = name.lastIndexOf('.');
  const cut = key.length - name.length + (dot > 0 ? dot : name.length);
  for (let number = 2; ; number += 1) {
    const candidate = `${key.slice(0, cut)} (${number})${key.slice(cut)}`;
    if (!isTaken(candidate)) return candidate;
  }
}

/** Parses a path typed by the user, relative to a directory: the path in NFC, or why it is invalid. */
export function parseTypedPath(directory: string, written: string): ParsedFilePath {
  const segments = written.split('/');
  return filePathOf(directory === '' ? segments : [...directory.split('/'), ...segments]);
}
