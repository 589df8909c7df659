import {
  computed,
  effect,
  inject,
  linkedSignal,
  resource,
  type ResourceSnapshot,
  type Signal,
  untracked,
} from '@angular/core';
import { Connection } from '../connection/connection';
import { asHttpProblem, type HttpProblem } from '../http/http-problem';

/** What a screen shows of a read, in four honest states: loading (neither), failed, empty or ready (a value). */
export interface ScreenData<T> {
  /** The last good answer for the current key; it stays while a reload runs or fails, and goes when the key changes. */
  readonly value: Signal<T | undefined>;
  /** Why the last read failed. Together with a value it means: what you see is old. */
  readonly problem: Signal<HttpProblem | undefined>;
  readonly busy: Signal<boolean>;
  reload(): void;
  /** Applies a change the server has confirmed, without reading everything again. */
  update(change: (value: T) => T): void;
}

export interface ScreenDataOptions<T> {
  /** What is read; undefined reads nothing and forgets. A new key never shows the old key's value. */
  readonly key: () => string | undefined;
  readonly load: (key: string, signal: AbortSignal) => Promise<T>;
}

interface Shown<T> {
  readonly key: string | undefined;
  readonly value: T | undefined;
}

/** A read for a screen; what failed without a connection is read again as soon as there is one. Call it where `resource` may be called. */
export function screenData<T>(options: ScreenDataOptions<T>): ScreenData<T> {
  const key = computed(options.key);
  /** What was confirmed while the first answer was on its way, which may have been written before. */
  let meanwhile: ((value: T) => T)[] = [];
  const read = resource<T, string | undefined>({
    params: () => key(),
    loader: ({ params, abortSignal }) => {
      const changes: typeof meanwhile = (meanwhile = []);
      const loaded = options.load(params, abortSignal);
      return loaded.then((value) => changes.reduce<T>((changed, change) => change(changed), value));
    },
  });
  const shown = linkedSignal<{ key: string | undefined; snapshot: ResourceSnapshot<T | undefined> }, Shown<T>>({
    source: () => ({ key: key(), snapshot: read.snapshot() }),
    computation: ({ key: current, snapshot }, previous) => {
      const fresh = snapshot.status === 'error' ? undefined : snapshot.value;
      const kept = previous?.value.key === current && current !== undefined ? previous?.value.value : undefined;
      return { key: current, value: fresh ?? kept };
    },
  });
  const problem = computed(() => {
    const error = read.error();
    return error === undefined ? undefined : asHttpProblem(error);
  });
  onceConnected(() => {
    if (['offline', 'unreachable'].includes(problem()?.kind ?? '')) read.reload();
  });
  return {
    value: computed(() => shown().value),
    problem,
    busy: read.isLoading,
    reload: () => void read.reload(),
    update: (change) => {
      const { value } = shown();
      if (value !== undefined) read.set(change(value));
      else meanwhile.push(change);
    },
  };
}

/** Calls back each time the connection is there again. */
function onceConnected(back: () => void): void {
  const connection = inject(Connection);
  let was = connection.state();
  effect(() => {
    const state = connection.state();
    if (was !== 'connected' && state === 'connected') untracked(back);
    was = state;
  });
}
