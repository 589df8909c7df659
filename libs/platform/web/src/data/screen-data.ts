import { computed, effect, linkedSignal, resource, type ResourceSnapshot, type Signal, untracked } from '@angular/core';
import { retryWhenConnected } from '../connection/retry-when-connected';
import { asHttpProblem, type HttpProblem } from '../http/http-problem';

/** What a screen shows of a read, in four honest states: loading (neither), failed, empty or ready (a value). */
export interface ScreenData<T> {
  /** The last good answer for the current key; it stays while a reload runs or fails, and goes when the key changes. */
  readonly value: Signal<T | undefined>;
  /** Why the last read failed. Together with a value it means: what you see is old. */
  readonly problem: Signal<HttpProblem | undefined>;
  readonly busy: Signal<boolean>;
  /** Reads again; asked for during a read, after it, because that one's answer may be older than what is asked about. */
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
  /** What was confirmed while an answer was on its way, which may have been written before. */
  let meanwhile: ((value: T) => T)[] = [];
  let reloadAgain = false;
  const read = resource<T, string | undefined>({
    params: () => key(),
    loader: ({ params, abortSignal }) => {
      reloadAgain = false;
      const changes: typeof meanwhile = (meanwhile = []);
      const loaded = options.load(params, abortSignal);
      return loaded.then((value) => changes.reduce<T>((changed, change) => change(changed), value));
    },
  });
  const shown = linkedSignal<{ key: string | undefined; snapshot: ResourceSnapshot<T | undefined> }, Shown<T>>({
    source: () => ({ key: key(), snapshot: read.snapshot() }),
    computation: ({ key: current, snapshot }, previous) => {
      if (snapshot.status === 'resolved' || snapshot.status === 'local') return { key: current, value: snapshot.value };
      const isKept = previous?.value.key === current && current !== undefined;
      return { key: current, value: isKept ? previous?.value.value : undefined };
    },
  });
  const problem = computed(() => (read.error() === undefined ? undefined : asHttpProblem(read.error())));
  const reload = (): void => {
    // The answer that is there is what stays on the screen, whether anybody has looked at it or not.
    untracked(shown);
    reloadAgain = !read.reload();
  };
  effect(() => {
    if (!read.isLoading() && reloadAgain) reload();
  });
  retryWhenConnected({
    isWanted: () => problem()?.isConnectionFailure === true,
    busy: read.isLoading,
    retry: reload,
  });
  return {
    value: computed(() => shown().value),
    problem,
    busy: read.isLoading,
    reload,
    update: (change) => {
      const { key: current, value } = untracked(shown);
      const isLoading = untracked(read.isLoading);
      if (isLoading) meanwhile.push(change);
      if (value === undefined) return;
      // To set the read itself would call off the answer that is on its way.
      if (isLoading) shown.set({ key: current, value: change(value) });
      else read.set(change(value));
    },
  };
}
