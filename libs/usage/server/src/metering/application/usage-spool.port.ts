import type { UsageBatch } from '../domain/counted-use';

/**
 * Keeps batches of counted uses until the usage store has them. A batch survives the end of the process. Methods reject
 * with the error of the storage.
 */
export abstract class UsageSpool {
  /** Prepares the spool before its first use. @throws {Error} when other users could read or change its batches. */
  abstract open(): Promise<void>;

  /** Resolves when the batch survives the end of the process. When it rejects, the spool does not have the batch. */
  abstract add(batch: UsageBatch): Promise<void>;

  /** The names of the batches, in order, also those of ended processes. */
  abstract names(): Promise<readonly string[]>;

  /** @returns undefined when another process has removed the batch. */
  abstract read(name: string): Promise<UsageBatch | undefined>;

  /** Does nothing when the batch is already removed. */
  abstract remove(name: string): Promise<void>;
}
