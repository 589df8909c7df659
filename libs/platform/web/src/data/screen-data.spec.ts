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
import { Connection, type ConnectionState } from '../connection/connection';
import { HttpProblem } from '../http/http-problem';
import { type ScreenData, screenData } from './screen-data';

type Words = readonly string[];

let answers: PromiseWithResolvers<Words>[];
let aborted: number;
let effects: EffectScheduler;
let data: ScreenData<Words>;
const connection = signal<ConnectionState>('connected');

/** Waits for pending requests and their consumers. */
async function settled(): Promise<void> {
  effects.flush();
  await new Promise((resolve) => setTimeout(resolve));
  effects.flush();
  // A retry starts in a separate task.
  await new Promise((resolve) => setTimeout(resolve));
  effects.flush();
}

async function refused(reason: unknown): Promise<void> {
  answers.at(-1)?.reject(reason);
  await settled();
}

async function answered(words: Words): Promise<void> {
  answers.at(-1)?.resolve(words);
  await settled();
}

const adds =
  (word: string) =>
  (words: Words): Words =>
    words.includes(word) ? words : [...words, word];

beforeEach(async () => {
  answers = [];
  aborted = 0;
  connection.set('connected');
  const injector = Injector.create({
    providers: [
      { provide: INJECTOR_SCOPE, useValue: 'root' },
      { provide: ChangeDetectionScheduler, useValue: { notify: () => undefined, runningTick: false } },
      { provide: PendingTasks, useValue: { add: () => () => undefined } },
      { provide: TransferState, useValue: new TransferState() },
      { provide: Connection, useValue: { state: connection } },
    ],
  });
  effects = injector.get(EffectScheduler);
  data = runInInjectionContext(injector, () =>
    screenData<Words>({
      key: () => 'words',
      load: (_key, abort) => {
        abort.addEventListener('abort', () => (aborted += 1));
        const answer = Promise.withResolvers<Words>();
        answers.push(answer);
        return answer.promise;
      },
    }),
  );
  await settled();
});

describe('screenData', () => {
  it('keeps an update made before the first response', async () => {
    data.update(adds('new'));
    expect(data.value()).toBeUndefined();
    await answered(['old']);
    expect(data.value()).toEqual(['old', 'new']);
  });

  it('shows an update immediately and does not abort a running load', async () => {
    await answered(['old']);
    data.reload();
    await settled();
    // A completed load is disposed too, which counts as an abort.
    aborted = 0;
    data.update(adds('first'));
    data.update(adds('second'));
    await settled();
    expect(data.value()).toEqual(['old', 'first', 'second']);
    expect(data.busy()).toBe(true);
    expect(aborted).toBe(0);
    // The server wrote this response between the two updates.
    await answered(['old', 'foreign', 'first']);
    expect(data.value()).toEqual(['old', 'foreign', 'first', 'second']);
    expect(data.busy()).toBe(false);
    expect(answers).toHaveLength(2);
  });

  it('keeps an update when the running load fails, and reports the failure', async () => {
    await answered(['old']);
    data.reload();
    await settled();
    data.update(adds('new'));
    await refused(new Error('no'));
    expect(data.value()).toEqual(['old', 'new']);
    expect(data.problem()).toBeDefined();
  });

  it('applies an update between two loads once', async () => {
    await answered(['old']);
    data.update((words) => [...words, 'new']);
    expect(data.value()).toEqual(['old', 'new']);
    data.reload();
    await settled();
    expect(data.value()).toEqual(['old', 'new']);
    await answered(['old', 'new']);
    expect(data.value()).toEqual(['old', 'new']);
  });

  it('reloads once when a reload is requested during a load', async () => {
    data.reload();
    data.reload();
    await answered(['old']);
    expect([data.value(), data.busy(), answers.length]).toEqual([['old'], true, 2]);
    await answered(['new']);
    expect([data.value(), data.busy(), answers.length]).toEqual([['new'], false, 2]);
  });
});

describe('screenData after a lost connection', () => {
  const noConnection = new HttpProblem({
    kind: 'offline',
    status: 0,
    title: 'Offline',
    detail: '',
    code: 'client.offline',
  });
  const becomes = async (state: ConnectionState): Promise<void> => {
    connection.set(state);
    await settled();
  };

  it('reloads after a connection failure as soon as the connection is back', async () => {
    await becomes('offline');
    await refused(noConnection);
    expect([data.problem(), answers.length]).toEqual([noConnection, 1]);
    await becomes('connected');
    await answered(['new']);
    expect([data.value(), data.problem(), answers.length]).toEqual([['new'], undefined, 2]);
  });

  it('reloads also when the failure is reported after the connection is back', async () => {
    await becomes('offline');
    await becomes('connected');
    expect(answers.length).toBe(1);
    await refused(noConnection);
    await answered(['new']);
    expect([data.value(), data.problem(), answers.length]).toEqual([['new'], undefined, 2]);
  });

  it('reloads after a connection failure while the device stays online', async () => {
    await refused(noConnection);
    await answered(['new']);
    expect([data.value(), data.problem(), answers.length]).toEqual([['new'], undefined, 2]);
  });

  it('delays the second retry, and resets the delay after a new connection', async () => {
    await refused(noConnection);
    await refused(noConnection);
    expect([data.busy(), answers.length]).toEqual([false, 2]);
    await becomes('unreachable');
    await becomes('connected');
    expect(answers.length).toBe(2);
    await becomes('offline');
    await becomes('connected');
    expect(answers.length).toBe(3);
  });

  it('does not reload after a success or another kind of failure', async () => {
    await becomes('unreachable');
    await becomes('connected');
    await answered(['old']);
    expect(answers.length).toBe(1);
    data.reload();
    await settled();
    await refused(new Error('no'));
    await becomes('offline');
    await becomes('connected');
    expect(answers.length).toBe(2);
  });
});
