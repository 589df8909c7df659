import { types } from 'node:util';
import { ArchiveRejected } from '../../domain/archive.errors';

/** One entry as the archive describes it. Its name, size and type are not validated yet. */
export interface ArchiveEntry {
  /** Bytes that are not valid UTF-8 are replaced by U+FFFD. */
  readonly name: string;
  readonly kind: 'file' | 'folder';
  /** Set when the entry is neither a regular file nor a folder: the reason shown to the uploader. */
  readonly fault?: string;
  /** Bytes, as the archive declares. A body is never longer. */
  readonly size: number;
  /** The content. Read it at most once, before the next entry is requested. Unread bytes are skipped. */
  body(): AsyncIterable<Buffer>;
}

/** Patterns of library errors and the message that the uploader gets for each. */
export type Explanations = readonly (readonly [RegExp, string])[];

/** Whether an error was caused by the archive's content, and not by this machine or an abort. */
export function isCorruption(error: unknown): error is Error {
  return (
    types.isNativeError(error) &&
    !(error instanceof ArchiveRejected) &&
    error.name !== 'AbortError' &&
    !('syscall' in error)
  );
}

/** Turns a corruption error into a rejection of the whole archive; returns other errors unchanged. */
export function explainError(error: unknown, explanations: Explanations, otherwise: string): unknown {
  if (!isCorruption(error)) return error;
  const text = `${'code' in error ? String(error.code) : ''} ${error.message}`;
  return ArchiveRejected.forArchive(explanations.find(([pattern]) => pattern.test(text))?.[1] ?? otherwise, error);
}
