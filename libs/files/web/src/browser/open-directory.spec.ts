// Outside a build, Angular's published code needs the compiler at run time.
import '@angular/compiler';
import {
  Injector,
  PendingTasks,
  runInInjectionContext,
  signal,
  TransferState,
  ɵChangeDetectionScheduler as ChangeDetectionScheduler,
  ɵEffectScheduler as EffectScheduler,
  ɵINJECTOR_SCOPE as INJECTOR_SCOPE,
} from '@angular/core';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { FileEntry } from '@homeport/files/contracts';
import { AuthSession } from '@homeport/identity/web';
import { Connection, HttpProblem } from '@homeport/platform/web';
import { FileIndex } from '../client/file-index';
import { FilesClient, type LevelListing } from '../client/files-client';
import { EmptyFolders } from '../folders/empty-folders';
import { CachedFilesClient } from '../offline/cached-files-client';
import { type OpenDirectory, openDirectory } from './open-directory';

const file = (key: string): FileEntry => ({ key, size: 1, etag: '"1"', modified_at: '2026-11-01T00:00:00Z' });
const unavailable = new HttpProblem({ kind: 'refused', status: 503, title: 'No', detail: 'Not now.', code: 'x' });

interface LevelRequest {
  readonly prefix: string;
  readonly response: PromiseWithResolvers<LevelListing>;
}

let levels: LevelRequest[];
let indexes: PromiseWithResolvers<readonly FileEntry[]>[];
let effects: EffectScheduler;
let index: FileIndex;
let emptyFolders: EmptyFolders;
let open: OpenDirectory;
const path = signal('');
const fallback = signal<'server' | undefined>(undefined);

/** Waits for pending requests and their consumers. */
async function idle(): Promise<void> {
  for (let round = 0; round < 3; round += 1) {
    effects.flush();
    await new Promise((resolve) => setTimeout(resolve));
  }
  effects.flush();
}

/** Answers the last level request; the level with the workspace segment is empty. */
async function levelIs(files: readonly string[], directories: readonly string[] = []): Promise<void> {
  const [plain, inWorkspace] = levels.slice(-2);
  plain?.response.resolve({ items: files.map((key) => file(key)), directories });
  inWorkspace?.response.resolve({ items: [], directories: [] });
  await idle();
}

async function levelFails(): Promise<void> {
  for (const { response } of levels.slice(-2)) response.reject(unavailable);
  await idle();
}

async function indexIs(...keys: readonly string[]): Promise<void> {
  indexes.at(-1)?.resolve(keys.map((key) => file(key)));
  await idle();
}

async function indexFails(): Promise<void> {
  indexes.at(-1)?.reject(unavailable);
  await idle();
}

/** The directories with their file counts, and the files. */
function shown(): readonly string[] | undefined {
  const directory = open.directory();
  return (
    directory && [
      ...directory.directories.map(({ name, files }) => `${name}/ ${files ?? '?'}`),
      ...directory.files.map(({ name }) => name),
    ]
  );
}

beforeEach(async () => {
  levels = [];
  indexes = [];
  path.set('d');
  fallback.set(undefined);
  const listLevel = (prefix: string): Promise<LevelListing> => {
    const response = Promise.withResolvers<LevelListing>();
    levels.push({ prefix, response });
    return response.promise;
  };
  const list = (): Promise<readonly FileEntry[]> => {
    const response = Promise.withResolvers<readonly FileEntry[]>();
    indexes.push(response);
    return response.promise;
  };
  const injector = Injector.create({
    providers: [
      { provide: INJECTOR_SCOPE, useValue: 'root' },
      { provide: ChangeDetectionScheduler, useValue: { notify: () => undefined, runningTick: false } },
      { provide: PendingTasks, useValue: { add: () => () => undefined } },
      { provide: TransferState, useValue: new TransferState() },
      { provide: Connection, useValue: { state: signal('connected') } },
      { provide: AuthSession, useValue: { userScope: signal('ada'), user: signal(undefined) } },
      { provide: FilesClient, useValue: { listLevel } },
      { provide: CachedFilesClient, useValue: { list, fallbackReason: fallback } },
      { provide: FileIndex },
    ],
  });
  effects = injector.get(EffectScheduler);
  index = injector.get(FileIndex);
  emptyFolders = injector.get(EmptyFolders);
  open = runInInjectionContext(injector, () => openDirectory(path));
  await idle();
});

describe('openDirectory', () => {
  it('shows the level before the index, and counts when the index is loaded', async () => {
    expect([shown(), open.busy(), open.problem()]).toEqual([undefined, true, undefined]);
    await levelIs(['d/a.md'], ['d/sub/']);
    expect([shown(), open.busy()]).toEqual([['sub/ ?', 'a.md'], true]);
    await indexIs('d/a.md', 'd/sub/1', 'd/sub/2', 'e/b.md');
    expect([shown(), open.busy(), open.problem()]).toEqual([['sub/ 2', 'a.md'], false, undefined]);
    expect(indexes).toHaveLength(1);
  });

  it('shows an empty folder until its first file is stored', async () => {
    path.set('d/new');
    await idle();
    await levelIs([]);
    await indexIs('d/a.md');
    expect(open.isMissing()).toBe(true);
    emptyFolders.add('d/new');
    expect([open.isMissing(), shown()]).toEqual([false, []]);
    path.set('d');
    await idle();
    await levelIs(['d/a.md']);
    expect(shown()).toEqual(['new/ 0', 'a.md']);
    index.add(file('d/new/b.md'));
    await idle();
    expect([shown(), [...emptyFolders.paths()]]).toEqual([['new/ 1', 'a.md'], []]);
  });

  it('knows the key prefix for new files before the index is loaded', async () => {
    expect(open.keyPrefix()).toBeUndefined();
    const [plain, inWorkspace] = levels;
    plain?.response.resolve({ items: [], directories: [] });
    inWorkspace?.response.resolve({ items: [], directories: ['workspace/d/sub/'] });
    await idle();
    expect(open.keyPrefix()).toBe('workspace/d/');
    path.set('other');
    expect(open.keyPrefix()).toBeUndefined();
  });

  it('shows another directory from the index at once, and does not reload an index that is correct', async () => {
    await levelIs(['d/a.md'], ['d/sub/']);
    await indexIs('d/a.md', 'd/sub/1');
    path.set('d/sub');
    expect(shown()).toEqual(['1']);
    await idle();
    const before = open.directory();
    expect(levels.slice(-2).map(({ prefix }) => prefix)).toEqual(['d/sub/', 'workspace/d/sub/']);
    await levelIs(['d/sub/1']);
    expect(open.directory()).toBe(before);
    expect(indexes).toHaveLength(1);
  });

  it('shows changes made elsewhere, and reloads the index once', async () => {
    await levelIs(['d/a.md'], ['d/sub/']);
    await indexIs('d/a.md', 'd/sub/1');
    open.reload();
    await idle();
    await indexIs('d/a.md', 'd/sub/1');
    path.set('d/sub');
    await idle();
    await levelIs(['d/sub/2'], ['d/sub/new/']);
    expect(shown()).toEqual(['new/ ?', '2']);
    expect(indexes).toHaveLength(3);
    await indexIs('d/a.md', 'd/sub/2', 'd/sub/new/3');
    expect(shown()).toEqual(['new/ 1', '2']);
    expect(indexes).toHaveLength(3);
  });

  it('keeps a file that is stored while the level is requested', async () => {
    await indexIs('d/a.md');
    index.add(file('d/b.md'));
    await levelIs(['d/a.md']);
    expect(shown()).toEqual(['a.md', 'b.md']);
  });

  it('removes a directory with its last file, and a file that is being deleted', async () => {
    await levelIs(['d/a.md', 'd/b.md'], ['d/sub/']);
    await indexIs('d/a.md', 'd/b.md', 'd/sub/1');
    index.hide(['d/sub/1', 'd/b.md']);
    expect(shown()).toEqual(['a.md']);
    index.unhide(['d/sub/1', 'd/b.md']);
    expect(shown()).toEqual(['sub/ 1', 'a.md', 'b.md']);
    index.queueChange({ removed: 'd/sub/1' });
    index.flushChanges();
    expect(shown()).toEqual(['a.md', 'b.md']);
  });

  it('shows the index and a problem when the level fails', async () => {
    await levelFails();
    expect([shown(), open.problem()]).toEqual([undefined, undefined]);
    await indexIs('d/a.md');
    expect([shown(), open.problem()]).toEqual([['a.md'], unavailable]);
    open.reload();
    await idle();
    await levelIs(['d/a.md', 'd/b.md']);
    await indexIs('d/a.md', 'd/b.md');
    expect([shown(), open.problem()]).toEqual([['a.md', 'b.md'], undefined]);
  });

  it('shows the level without counts and a problem when the index fails', async () => {
    await indexFails();
    expect([shown(), open.problem()]).toEqual([undefined, undefined]);
    await levelIs(['d/a.md'], ['d/sub/']);
    expect([shown(), open.problem()]).toEqual([['sub/ ?', 'a.md'], unavailable]);
  });

  it('has a problem and no directory when level and index fail', async () => {
    await levelFails();
    await indexFails();
    expect([shown(), open.problem(), open.busy()]).toEqual([undefined, unavailable, false]);
  });

  it('prefers the level to a cached index, which provides the counts', async () => {
    fallback.set('server');
    await levelIs(['d/b.md'], ['d/sub/']);
    await indexIs('d/a.md', 'd/sub/1');
    expect([shown(), open.problem()]).toEqual([['sub/ 1', 'b.md'], undefined]);
    // The difference has started one reload, which is answered from the cache again.
    await indexIs('d/a.md', 'd/sub/1');
    expect([shown(), indexes.length, open.busy()]).toEqual([['sub/ 1', 'b.md'], 2, false]);
  });

  it('leaves the problem of the level to the offline banner when the index is cached', async () => {
    fallback.set('server');
    await levelFails();
    await indexIs('d/a.md');
    expect([shown(), open.problem()]).toEqual([['a.md'], undefined]);
  });

  it('is missing when the server lists nothing in it', async () => {
    await levelIs([]);
    expect([open.isMissing(), shown()]).toEqual([true, []]);
    path.set('threads');
    await idle();
    await levelIs([]);
    expect([open.isMissing(), shown()]).toEqual([false, []]);
  });

  it('is not missing when it has become empty, or when the server could not be asked', async () => {
    await levelIs(['d/a.md']);
    await indexIs('d/a.md');
    index.hide(['d/a.md']);
    await idle();
    expect([open.isMissing(), shown()]).toEqual([false, []]);
    path.set('e');
    await idle();
    await levelFails();
    expect([open.isMissing(), shown()]).toEqual([false, []]);
  });
});

describe('FileIndex.whenLoaded', () => {
  it('waits for the first load', async () => {
    const files = index.whenLoaded();
    await indexIs('a', 'b');
    expect((await files).size).toBe(2);
  });

  it('loads again after a failure', async () => {
    await indexFails();
    const files = index.whenLoaded();
    await idle();
    expect(indexes).toHaveLength(2);
    await indexIs('a');
    expect((await files).size).toBe(1);
  });

  it('rejects when the load fails', async () => {
    const rejected = expect(index.whenLoaded()).rejects.toBe(unavailable);
    await indexFails();
    await rejected;
  });

  it('waits for a running reload when the files must be current', async () => {
    await indexIs('a');
    index.refresh();
    await idle();
    expect((await index.whenLoaded()).size).toBe(1);
    const current = index.whenLoaded({ isCurrent: true });
    await indexIs('a', 'b');
    expect((await current).size).toBe(2);
  });

  it('rejects when the caller no longer waits', async () => {
    const caller = new AbortController();
    const files = index.whenLoaded({ signal: caller.signal });
    const reason = new Error('not needed');
    caller.abort(reason);
    await expect(files).rejects.toBe(reason);
  });
});
