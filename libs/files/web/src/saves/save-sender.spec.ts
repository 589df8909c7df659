// Outside a build, Angular's published code needs the compiler at run time.
import '@angular/compiler';
import {
  Injector,
  PendingTasks,
  signal,
  ɵChangeDetectionScheduler as ChangeDetectionScheduler,
  ɵEffectScheduler as EffectScheduler,
  ɵINJECTOR_SCOPE as INJECTOR_SCOPE,
} from '@angular/core';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AuthSession } from '@homeport/identity/web';
import { Connection, HttpProblem } from '@homeport/platform/web';
import { FilesClient, type WriteCondition } from '../client/files-client';
import type { Draft } from '../drafts/draft';
import { Drafts } from '../drafts/drafts';
import { TextSaver } from '../editor/text-saver';
import { storedText } from '../editor/text-encoding';
import type { QueuedSave } from './queued-save';
import { SaveNotices } from './save-notices';
import { SaveQueue } from './save-queue';
import { type SaveChange, SaveStore } from './save-store';
import { TextWriter } from './text-writer';

function failure(status: number): HttpProblem {
  const kind = status === 0 ? 'unreachable' : 'refused';
  return new HttpProblem({ kind, status, title: 'No', detail: `Status ${status}.`, code: 'x' });
}

/** A queue in memory. */
class MemoryStore {
  readonly saves = new Map<string, QueuedSave>();
  isFull = false;

  list = () => Promise.resolve([...this.saves.values()]);
  find = (key: string) => Promise.resolve(this.saves.get(key));

  change(key: string, change: SaveChange): Promise<boolean> {
    if (this.isFull) return Promise.resolve(false);
    const next = change(this.saves.get(key));
    if (next) this.saves.set(key, next);
    else this.saves.delete(key);
    return Promise.resolve(true);
  }
}

const connection = signal<'connected' | 'offline'>('offline');
let store: MemoryStore;
let drafts: Draft[];
let keepsDrafts: boolean;
let notices: string[];
let conditions: WriteCondition[];
/** The responses of the server to writes; success when there are no more. */
let responses: HttpProblem[];
let injector: Injector;
let effects: EffectScheduler;

async function idle(): Promise<void> {
  for (let round = 0; round < 3; round += 1) {
    effects.flush();
    await new Promise((resolve) => setTimeout(resolve));
  }
}

// Without Web Locks: each step then takes only microtasks.
beforeAll(() => void Object.defineProperty(globalThis, 'navigator', { value: { onLine: true }, configurable: true }));

beforeEach(() => {
  connection.set('offline');
  [store, drafts, keepsDrafts, notices, conditions, responses] = [new MemoryStore(), [], true, [], [], []];
  const write = (_key: string, _text: unknown, { condition }: { condition: WriteCondition }) => {
    const problem = responses.shift();
    conditions.push(condition);
    return problem ? Promise.reject(problem) : Promise.resolve({ etag: '"new"' });
  };
  injector = Injector.create({
    providers: [
      { provide: INJECTOR_SCOPE, useValue: 'root' },
      { provide: ChangeDetectionScheduler, useValue: { notify: () => undefined, runningTick: false } },
      { provide: PendingTasks, useValue: { add: () => () => undefined } },
      { provide: AuthSession, useValue: { state: () => 'signed-in', userScope: () => 'ada' } },
      { provide: Connection, useValue: { state: connection } },
      { provide: SaveStore, useValue: store },
      {
        provide: Drafts,
        useValue: {
          rebase: () => Promise.resolve(),
          save: (draft: Draft) => Promise.resolve(keepsDrafts && drafts.push(draft) > 0),
        },
      },
      {
        provide: SaveNotices,
        useValue: {
          show: () => undefined,
          sent: (key: string) => notices.push(`sent ${key}`),
          returned: (key: string) => notices.push(`returned ${key}`),
        },
      },
      { provide: TextWriter, useValue: { write } },
      // In a conflict, the file does not exist any more.
      { provide: FilesClient, useValue: { head: () => Promise.reject(failure(404)) } },
    ],
  });
  effects = injector.get(EffectScheduler);
});

/** Saves a text without a connection. @returns its ETag. */
async function saveOffline(text: string, ifMatch = '"old"'): Promise<string> {
  responses = [failure(0)];
  const options = { condition: { ifMatch }, contentType: undefined };
  const { etag } = await injector.get(TextSaver).save('a.md', storedText(text), options);
  responses = [];
  conditions = [];
  return etag;
}

async function reconnect(): Promise<void> {
  connection.set('connected');
  await idle();
}

describe('SaveSender', () => {
  it('sends a queued save with its condition when the connection returns', async () => {
    const etag = await saveOffline('mine');
    expect(etag).toMatch(/^queued:/);
    await idle();
    expect(conditions).toEqual([]);
    await reconnect();
    expect([conditions, notices, store.saves.size]).toEqual([[{ ifMatch: '"old"' }], ['sent a.md'], 0]);
    expect(injector.get(SaveQueue).settled(etag)).toMatchObject({ etag: '"new"' });
  });

  it('sends only the newest text of a file that was saved again', async () => {
    const first = await saveOffline('one');
    await saveOffline('two', first);
    expect([...store.saves.values()]).toMatchObject([{ text: 'two', base: '"old"' }]);
    expect(injector.get(SaveQueue).isReplaced(first)).toBe(true);
    await reconnect();
    expect(conditions).toEqual([{ ifMatch: '"old"' }]);
  });

  it('keeps a rejected save as a draft', async () => {
    await saveOffline('mine');
    responses = [failure(412)];
    await reconnect();
    expect(drafts).toMatchObject([{ key: 'a.md', text: 'mine', base: '"old"' }]);
    expect([notices, store.saves.size]).toEqual([['returned a.md'], 0]);
  });

  it('keeps a rejected save in the queue when the draft cannot be stored', async () => {
    await saveOffline('mine');
    [responses, keepsDrafts] = [[failure(413)], false];
    await reconnect();
    expect([notices, store.saves.get('a.md')?.text]).toEqual([[], 'mine']);
  });

  it.each([401, 503])('keeps the save after status %s', async (status) => {
    await saveOffline('mine');
    responses = [failure(status)];
    await reconnect();
    expect([notices, drafts, store.saves.size, conditions.length]).toEqual([[], [], 1, 1]);
    connection.set('offline');
    await idle();
    await reconnect();
    expect([notices, store.saves.size]).toEqual([['sent a.md'], 0]);
  });
});

describe('TextSaver', () => {
  it('reports the connection failure when this device cannot store the text', async () => {
    store.isFull = true;
    await expect(saveOffline('mine')).rejects.toMatchObject({ kind: 'unreachable' });
  });

  it('reports a conflict when another tab has queued a save of the file', async () => {
    await saveOffline('theirs');
    await expect(saveOffline('mine')).rejects.toMatchObject({ status: 412 });
    expect(store.saves.get('a.md')?.text).toBe('theirs');
  });

  it('does not queue a save that the server has rejected', async () => {
    responses = [failure(503)];
    const options = { condition: { ifMatch: '"old"' }, contentType: undefined };
    await expect(injector.get(TextSaver).save('a.md', storedText('mine'), options)).rejects.toMatchObject({
      status: 503,
    });
    expect(store.saves.size).toBe(0);
  });
});
