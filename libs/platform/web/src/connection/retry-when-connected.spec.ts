// Outside a build, Angular's published code needs the compiler at run time.
import '@angular/compiler';
import {
  Injector,
  runInInjectionContext,
  signal,
  ɵChangeDetectionScheduler as ChangeDetectionScheduler,
  ɵEffectScheduler as EffectScheduler,
  ɵINJECTOR_SCOPE as INJECTOR_SCOPE,
} from '@angular/core';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { Connection, type ConnectionState } from './connection';
import { retryWhenConnected } from './retry-when-connected';

describe('retryWhenConnected', () => {
  const state = signal<ConnectionState>('connected');
  const isWanted = signal(false);
  const busy = signal(false);
  let effects: EffectScheduler;
  let retries: number;

  /** Waits for everything that starts immediately. */
  const settled = async (): Promise<number> => {
    effects.flush();
    await new Promise((resolve) => setTimeout(resolve));
    effects.flush();
    return retries;
  };

  beforeEach(() => {
    state.set('connected');
    isWanted.set(false);
    busy.set(false);
    retries = 0;
    const injector = Injector.create({
      providers: [
        { provide: INJECTOR_SCOPE, useValue: 'root' },
        { provide: ChangeDetectionScheduler, useValue: { notify: () => undefined, runningTick: false } },
        { provide: Connection, useValue: { state } },
      ],
    });
    effects = injector.get(EffectScheduler);
    runInInjectionContext(injector, () => retryWhenConnected({ isWanted, busy, retry: () => (retries += 1) }));
  });

  it('retries only when a retry is needed', async () => {
    expect(await settled()).toBe(0);
    isWanted.set(true);
    expect(await settled()).toBe(1);
  });

  it.each<ConnectionState>(['offline', 'unreachable'])('does nothing while it is %s', async (without) => {
    state.set(without);
    isWanted.set(true);
    expect(await settled()).toBe(0);
    state.set('connected');
    expect(await settled()).toBe(1);
  });

  it('does not retry while a request is in progress', async () => {
    busy.set(true);
    isWanted.set(true);
    expect(await settled()).toBe(0);
    busy.set(false);
    expect(await settled()).toBe(1);
  });

  it('resets the delay after a success or a new connection', async () => {
    isWanted.set(true);
    expect(await settled()).toBe(1);
    isWanted.set(false);
    await settled();
    isWanted.set(true);
    expect(await settled()).toBe(2);
    state.set('offline');
    await settled();
    state.set('connected');
    expect(await settled()).toBe(3);
  });
});
