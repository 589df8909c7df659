import { filePathOf } from '@homeport/files/contracts';
import { nameOf } from '../tree/file-tree';
import { freeKey } from '../tree/moved-keys';
import { pathFaultWords } from '../tree/path-fault-words';

/** What operating systems leave in folders, and nobody means to keep. */
const LITTER = new Set(['.DS_Store', 'Thumbs.db', 'desktop.ini']);

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
  readonly litter: number;
}

export interface Place {
  /** The key for a path below the directory one uploads to. */
  readonly keyFor: (path: string) => string;
  readonly isTaken: (key: string) => boolean;
}

/** Sorts out what can be sent at once, what has to be asked for and what cannot be stored. */
export function planUploads<Content>(
  picked: readonly { readonly path: string; readonly content: Content }[],
  { keyFor, isTaken }: Place,
): UploadPlan<Content> {
  const plan = { ready: [] as UploadItem<Content>[], taken: [] as UploadItem<Content>[], litter: 0 };
  const refused: { path: string; fault: string }[] = [];
  const planned = new Set<string>();
  for (const { path, content } of picked) {
    if (LITTER.has(nameOf(path))) {
      plan.litter += 1;
      continue;
    }
    const parsed = filePathOf(keyFor(path.normalize('NFC')).split('/'));
    if ('fault' in parsed) refused.push({ path, fault: pathFaultWords(parsed.fault) });
    else {
      const item = { path, content, key: parsed.path, replace: false };
      (planned.has(item.key) || isTaken(item.key) ? plan.taken : plan.ready).push(item);
      planned.add(item.key);
    }
  }
  return { ...plan, refused };
}

/** What is sent after the person has chosen for those whose names are taken. */
export function settled<Content>(
  taken: readonly UploadItem<Content>[],
  choice: ConflictChoice,
  isTaken: (key: string) => boolean,
): readonly UploadItem<Content>[] {
  if (choice === 'skip') return [];
  if (choice === 'replace') return taken.map((item) => ({ ...item, replace: true }));
  const given = new Set<string>();
  return taken.map((item) => {
    const key = freeKey(item.key, (each) => given.has(each) || isTaken(each));
    given.add(key);
    return { ...item, key };
  });
}
