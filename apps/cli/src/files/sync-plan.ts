/** How one side of a synchronization compares with the last run. */
export interface SyncSide {
  /** Whether the file is as the last run left it; false when the last run did not know it. */
  readonly isUnchanged: boolean;
}

export interface SyncPair {
  readonly path: string;
  /** Undefined when the side has no such file. */
  readonly source: SyncSide | undefined;
  readonly target: SyncSide | undefined;
  readonly isEqual: boolean;
}

export type SyncAction = 'create' | 'replace' | 'delete' | 'same' | 'keep' | 'conflict' | 'failed';

export interface PlannedSync {
  readonly path: string;
  readonly action: SyncAction;
  /** Of a conflict or a failure. */
  readonly reason?: string;
}

export interface SyncRules {
  /** Whether files that the source does not have are deleted from the target. */
  readonly deletes: boolean;
  /** Whether conflicts are resolved in favor of the source. */
  readonly force: boolean;
}

const CHANGED = 'the target changed since the last synchronization, or was never synchronized';
const UNKNOWN = 'only the target has it, and it changed or was never synchronized';

/** Decides what to do with one file. Without `force`, only versions that the last run has seen are overwritten or deleted. */
export function planFile({ path, source, target, isEqual }: SyncPair, { deletes, force }: SyncRules): PlannedSync {
  if (source && !target) return { path, action: 'create' };
  if (source && isEqual) return { path, action: 'same' };
  const mayReplace = force || target?.isUnchanged === true;
  if (source) return mayReplace ? { path, action: 'replace' } : { path, action: 'conflict', reason: CHANGED };
  if (!deletes) return { path, action: 'keep' };
  return mayReplace ? { path, action: 'delete' } : { path, action: 'conflict', reason: UNKNOWN };
}
