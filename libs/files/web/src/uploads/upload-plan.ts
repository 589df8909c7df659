import { filePathOf } from '@homeport/files/contracts';
import { nameOf } from '../tree/file-tree';
import { availableKey } from '../tree/rename-plan';
import { pathErrorMessage } from '../tree/path-error-messages';

/** What operating systems leave in folders, and nobody means to keep. */
const IGNORED_FILES = new Set(['.DS_Store', 'Thumbs.db', 'desktop.ini']);

export interface UploadItem<Content = File> {
  /** As the person knows it: the path below what was picked. */
  readonly path: string;
  readonly content: Content;
  readonly key: string;
  /** Whether a file that is there already may go. */
  readonly replace: boolean;
}

/** What to do with files of names that are taken. */
export type ConflictChoice = 'replace' | 'keep-both' | 'skip';

export interface UploadPlan<Content> {
  readonly ready: readonly UploadItem<Content>[];
  /** Their keys are taken: by files that are there, or by others of the same upload. */
  readonly taken: readonly UploadItem<Content>[];
  readonly refused: readonly { readonly path: string; readonly fault: string }[];
  /** How many were left out because nobody means them. */
  readonly ignored: number;
}

export interface UploadTarget {
  /** The key for a path below the directory one uploads to. */
  readonly keyFor: (path: string) => string;
  readonly isTaken: (key: string) => boolean;
}

/** Sorts out what can be sent at once, what has to be asked for and what cannot be stored. */
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

/** What is sent after the person has chosen for those whose names are taken. */
export function resolveConflicts<Content>(
  taken: readonly UploadItem<Content>[],
  choice: ConflictChoice,
  isTaken: (key: string) => boolean,
): readonly UploadItem<Content>[] {
  if (choice === 'skip') return [];
  if (choice === 'replace') return taken.map((item) => ({ ...item, replace: true }));
  const given = new Set<string>();
  return taken.map((item) => {
    const key = availableKey(item.key, (each) => given.has(each) || isTaken(each));
    given.add(key);
    return { ...item, key };
  });
}
