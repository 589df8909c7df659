import { type FileEntry, filePathOf, type ParsedFilePath } from '@homeport/files/contracts';
import { nameOf, displayPath } from './file-tree';

/** A file and the key it is to have. */
export interface MoveStep {
  readonly entry: FileEntry;
  readonly to: string;
}

/** The key with another shown path, in the same place as to the workspace segment. */
export function withDisplayPath(key: string, shown: string): string {
  return key.slice(0, key.length - displayPath(key).length) + shown;
}

/** What is to be moved when the shown path `from`, a file or a directory with these files, becomes `to`. */
export function planMove(entries: readonly FileEntry[], from: string, to: string): readonly MoveStep[] {
  return entries.map((entry) => ({
    entry,
    to: withDisplayPath(entry.key, to + displayPath(entry.key).slice(from.length)),
  }));
}

/** Whether a directory lies in another one, or is it. */
export function isWithin(directory: string, other: string): boolean {
  return directory === other || directory.startsWith(`${other}/`);
}

/** "plan (2).md", "plan (3).md", …: the first that is not taken. */
export function availableKey(key: string, isTaken: (key: string) => boolean): string {
  const name = nameOf(key);
  const dot = name.lastIndexOf('.');
  const cut = key.length - name.length + (dot > 0 ? dot : name.length);
  for (let number = 2; ; number += 1) {
    const candidate = `${key.slice(0, cut)} (${number})${key.slice(cut)}`;
    if (!isTaken(candidate)) return candidate;
  }
}

/** A path somebody has written for a directory: in NFC, or why it cannot be. */
export function parseTypedPath(directory: string, written: string): ParsedFilePath {
  const segments = written.split('/');
  return filePathOf(directory === '' ? segments : [...directory.split('/'), ...segments]);
}
