// Angular's published code is linked at run time outside a build.
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

/** Lets what was begun happen, and what waits for it. */
async function settled(): Promise<void> {
  effects.flush();
  await new Promise((resolve) => setTimeout(resolve));
  effects.flush();
  // A retry begins in a task of its own.
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
  it('keeps what is confirmed before the first answer', async () => {
    data.update(adds('new'));
    expect(data.value()).toBeUndefined();
    await answered(['old']);
    expect(data.value()).toEqual(['old', 'new']);
  });

  it('does not call off a read for what is confirmed meanwhile, and shows it at once', async () => {
    await answered(['old']);
    data.reload();
    await settled();
    // A read that is over is let go of too.
    aborted = 0;
    data.update(adds('first'));
    data.update(adds('second'));
    await settled();
    expect(data.value()).toEqual(['old', 'first', 'second']);
    expect(data.busy()).toBe(true);
    expect(aborted).toBe(0);
    // The answer was written between the two.
    await answered(['old', 'foreign', 'first']);
    expect(data.value()).toEqual(['old', 'foreign', 'first', 'second']);
    expect(data.busy()).toBe(false);
    expect(answers).toHaveLength(2);
  });

  it('keeps what is confirmed meanwhile when the read fails, and says that it failed', async () => {
    await answered(['old']);
    data.reload();
    await settled();
    data.update(adds('new'));
    await refused(new Error('no'));
    expect(data.value()).toEqual(['old', 'new']);
    expect(data.problem()).toBeDefined();
  });

  it('takes up what is confirmed between two reads once', async () => {
    await answered(['old']);
    data.update((words) => [...words, 'new']);
    expect(data.value()).toEqual(['old', 'new']);
    data.reload();
    await settled();
    expect(data.value()).toEqual(['old', 'new']);
    await answered(['old', 'new']);
    expect(data.value()).toEqual(['old', 'new']);
  });

  it('reads again after the first read when that is asked for meanwhile, and once', async () => {
    data.reload();
    data.reload();
    await answered(['old']);
    expect([data.value(), data.busy(), answers.length]).toEqual([['old'], true, 2]);
    await answered(['new']);
    expect([data.value(), data.busy(), answers.length]).toEqual([['new'], false, 2]);
  });
});

describe('screenData on a connection that goes and comes back', () => {
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

  it('reads again what failed for want of it, once it is back', async () => {
    await becomes('offline');
    await refused(noConnection);
    expect([data.problem(), answers.length]).toEqual([noConnection, 1]);
    await becomes('connected');
    await answered(['new']);
    expect([data.value(), data.problem(), answers.length]).toEqual([['new'], undefined, 2]);
  });

  it('reads again also what failed without it and is told after it is back', async () => {
    await becomes('offline');
    await becomes('connected');
    expect(answers.length).toBe(1);
    await refused(noConnection);
    await answered(['new']);
    expect([data.value(), data.problem(), answers.length]).toEqual([['new'], undefined, 2]);
  });

  it('reads again what fails though there is one all along', async () => {
    await refused(noConnection);
    await answered(['new']);
    expect([data.value(), data.problem(), answers.length]).toEqual([['new'], undefined, 2]);
  });

  it('waits before it tries once more, and no longer once the device has another connection', async () => {
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

  it('reads nothing again that was answered, or that failed for another reason', async () => {
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
