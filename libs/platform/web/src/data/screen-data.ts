import { computed, effect, linkedSignal, resource, type ResourceSnapshot, type Signal, untracked } from '@angular/core';
import { retryWhenConnected } from '../connection/retry-when-connected';
import { asHttpProblem, type HttpProblem } from '../http/http-problem';

/** The data of a screen: loading (no value, no problem), failed (a problem), empty or ready (a value). */
export interface ScreenData<T> {
  /** The last loaded value for the current key. A reload keeps it, also when it fails; a new key clears it. */
  readonly value: Signal<T | undefined>;
  /** Why the last load failed. With a value it means that the value is outdated. */
  readonly problem: Signal<HttpProblem | undefined>;
  readonly busy: Signal<boolean>;
  /** Loads again. During a load, another one follows: the running response may be older than the request to reload. */
  reload(): void;
  /** Applies a change that the server has confirmed, without a reload. */
  update(change: (value: T) => T): void;
}

export interface ScreenDataOptions<T> {
  /** Identifies the data; undefined loads nothing and clears the value. A new key never shows the previous value. */
  readonly key: () => string | undefined;
  readonly load: (key: string, signal: AbortSignal) => Promise<T>;
}

interface Shown<T> {
  readonly key: string | undefined;
  readonly value: T | undefined;
}

/**
 * Loads the data of a screen, and reloads after a connection failure as soon as the server is reachable. Requires an
 * injection context.
 */
export function screenData<T>(options: ScreenDataOptions<T>): ScreenData<T> {
  const key = computed(options.key);
  /** Changes confirmed during the running load, whose response may have been written before them. */
  let pendingChanges: ((value: T) => T)[] = [];
  let reloadAgain = false;
  const read = resource<T, string | undefined>({
    params: () => key(),
    loader: ({ params, abortSignal }) => {
      reloadAgain = false;
      const changes: typeof pendingChanges = (pendingChanges = []);
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
    // Reading `shown` now keeps the current value on the screen, even if no view has read it yet.
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
      if (isLoading) pendingChanges.push(change);
      if (value === undefined) return;
      // Setting the resource would abort the running load.
      if (isLoading) shown.set({ key: current, value: change(value) });
      else read.set(change(value));
    },
  };
}
