/** What somebody has written and not saved yet. */
export interface Draft {
  /** Of the one editor that writes it: two open on one file have a draft each. */
  readonly id: string;
  /** The key of the file. */
  readonly key: string;
  readonly text: string;
  readonly encoding: 'utf-8' | 'utf-16le' | 'utf-16be';
  readonly marked: boolean;
  /** The ETag of the file it began from; absent when there was none. */
  readonly base?: string;
  /** Milliseconds since the epoch. */
  readonly writtenAt: number;
}

/** The file as it is now: its ETag and its exact text, undefined when there is none. */
export type CurrentFile = { readonly etag: string; readonly exact: string } | undefined;

/**
 * What to do with a draft of a file that is opened: drop what the file says already, go on where it was left, or show
 * both sides because the file is not the one it began from.
 */
export function resolveDraft(
  { text, base }: Pick<Draft, 'text' | 'base'>,
  file: CurrentFile,
): 'drop' | 'restore' | 'conflict' {
  if (file?.exact === text) return 'drop';
  return file?.etag === base ? 'restore' : 'conflict';
}

/** The newest first: it is the one to go on with. */
export function newestFirst<T extends Pick<Draft, 'writtenAt'>>(drafts: readonly T[]): readonly T[] {
  return drafts.toSorted((one, other) => other.writtenAt - one.writtenAt);
}
