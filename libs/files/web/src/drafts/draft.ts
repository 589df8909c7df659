/** Unsaved text of one editor. */
export interface Draft {
  /** Unique per editor: two editors of one file have separate drafts. */
  readonly id: string;
  /** The key of the file. */
  readonly key: string;
  readonly text: string;
  readonly encoding: 'utf-8' | 'utf-16le' | 'utf-16be';
  readonly marked: boolean;
  /** The ETag of the file when the draft began; absent for a new file. */
  readonly base?: string;
  /** Milliseconds since the epoch. */
  readonly writtenAt: number;
}

/** The ETag and the exact text of the stored file; undefined when it does not exist. */
export type CurrentFile = { readonly etag: string; readonly exact: string } | undefined;

/**
 * Decides what to do with a draft when its file is opened: drop it when the file has the same text, restore it, or show
 * a conflict when the file has changed since the draft began.
 */
export function resolveDraft(
  { text, base }: Pick<Draft, 'text' | 'base'>,
  file: CurrentFile,
): 'drop' | 'restore' | 'conflict' {
  if (file?.exact === text) return 'drop';
  return file?.etag === base ? 'restore' : 'conflict';
}

/** Sorts drafts by time, newest first. */
export function newestFirst<T extends Pick<Draft, 'writtenAt'>>(drafts: readonly T[]): readonly T[] {
  return drafts.toSorted((one, other) => other.writtenAt - one.writtenAt);
}
