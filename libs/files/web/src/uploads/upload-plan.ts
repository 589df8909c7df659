import { filePathOf } from '@homeport/files/contracts';
import { nameOf } from '../tree/display-path';
import { availableKey } from '../tree/rename-plan';
import { pathErrorMessage } from '../tree/path-error-messages';

/** Files that operating systems create in folders. */
const IGNORED_FILES = new Set(['.DS_Store', 'Thumbs.db', 'desktop.ini']);

export interface UploadItem<Content = File> {
  /** The path relative to the picked folder, for display. */
  readonly path: string;
  readonly content: Content;
  readonly key: string;
  /** Whether an existing file may be replaced. */
  readonly replace: boolean;
}

/** What to do with files whose names are already in use. */
export type ConflictChoice = 'replace' | 'keep-both' | 'skip';

export interface UploadPlan<Content> {
  readonly ready: readonly UploadItem<Content>[];
  /** Files whose keys are in use by existing files or by other files of the same upload. */
  readonly taken: readonly UploadItem<Content>[];
  readonly refused: readonly { readonly path: string; readonly fault: string }[];
  /** The number of ignored system files. */
  readonly ignored: number;
}

export interface UploadTarget {
  /** The key for a path relative to the target directory. */
  readonly keyFor: (path: string) => string;
  readonly isTaken: (key: string) => boolean;
}

/** Sorts picked files into those ready to upload, those with names in use, and those with invalid names. */
export function planUploads<Content>(
  picked: readonly { readonly path: string; readonly content: Content }[],
  { keyFor, isTaken }: UploadTarget,
): UploadPlan<Content> {
  const plan = { ready: [] as UploadItem<Content>[], taken: [] as UploadItem<Content>[], ignored: 0 };
  const refused: { path: string; fault: string }[] = [];
  const planned = new Set<string>();
  for (const { path, content } of picked) {
    if (IGNORED_FILES.has(nameOf(path))) {
      plan.ignored += 1;
      continue;
    }
    const parsed = filePathOf(keyFor(path.normalize('NFC')).split('/'));
    if ('fault' in parsed) refused.push({ path, fault: pathErrorMessage(parsed.fault) });
    else {
      const item = { path, content, key: parsed.path, replace: false };
      (planned.has(item.key) || isTaken(item.key) ? plan.taken : plan.ready).push(item);
      planned.add(item.key);
    }
  }
  return { ...plan, refused };
}

/** The items to upload after the user has decided about names in use. */
export function resolveConflicts<Content>(
  taken: readonly UploadItem<Content>[],
  choice: ConflictChoice,
  isTaken: (key: string) => boolean,
): readonly UploadItem<Content>[] {
  if (choice === 'skip') return [];
  if (choice === 'replace') return taken.map((item) => ({ ...item, replace: true }));
  const assigned = new Set<string>();
  return taken.map((item) => {
    const key = availableKey(item.key, (each) => assigned.has(each) || isTaken(each));
    assigned.add(key);
    return { ...item, key };
  });
}
