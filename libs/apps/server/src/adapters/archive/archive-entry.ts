import { types } from 'node:util';
import { ArchiveRejected } from '../../domain/deploys/archive.errors';

/** One entry as its archive has it: nothing about it is checked but that it can be read. */
export interface ArchiveEntry {
  /** What was not valid UTF-8 is U+FFFD. */
  readonly name: string;
  readonly kind: 'file' | 'folder';
  /** Why it is neither a file nor a folder that could be published. */
  readonly fault?: string;
  /** As the archive says; no body is longer. */
  readonly size: number;
  /** The bytes, once and before the next entry is asked for. What is left unread is skipped. */
  body(): AsyncIterable<Buffer>;
}

/** Patterns of a library's errors, and what they mean to whoever sent the archive. */
export type Explanations = readonly (readonly [RegExp, string])[];

/** Whether an error is a library's about what a stranger made, and not a failure of this machine or an abort. */
export function isCorruption(error: unknown): error is Error {
  return (
    types.isNativeError(error) &&
    !(error instanceof ArchiveRejected) &&
    error.name !== 'AbortError' &&
    !('syscall' in error)
  );
}

/** An error as a rejection of the whole archive when it is damage; otherwise as it is. */
export function explainError(error: unknown, explanations: Explanations, otherwise: string): unknown {
  if (!isCorruption(error)) return error;
  const text = `${'code' in error ? String(error.code) : ''} ${error.message}`;
  return ArchiveRejected.forArchive(explanations.find(([pattern]) => pattern.test(text))?.[1] ?? otherwise, error);
}
