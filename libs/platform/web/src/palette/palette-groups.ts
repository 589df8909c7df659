import { computed, inject, Injector, Service, signal, type Signal, type Type } from '@angular/core';
import { PALETTE_SOURCES, type PaletteItem, type PaletteSource } from './palette-source';

export type GroupState = 'loading' | 'failed' | 'ready';

/** The results of one source. */
export interface PaletteGroup {
  readonly id: number;
  readonly heading: string;
  readonly state: GroupState;
  readonly items: readonly PaletteItem[];
  /** Whether there are more results than `items`. */
  readonly hasMore: boolean;
  /** Why the results may be incomplete. */
  readonly note?: string | undefined;
}

interface Search {
  readonly id: number;
  readonly load: () => Promise<Type<PaletteSource>>;
  readonly query: string;
  readonly limit: number;
  readonly signal: AbortSignal;
}

/** Results per source at first, and the factor for each request for more. */
const LIMIT = 8;
/** Before anything is typed, so that recent files are visible below the commands. */
const FIRST_LIMIT = 5;
const MORE_FACTOR = 8;

/** Searches all sources in parallel; each one completes or fails independently. */
@Service({ autoProvided: false })
export class PaletteGroups {
  readonly #injector = inject(Injector);
  readonly #loaders = inject(PALETTE_SOURCES, { optional: true }) ?? [];
  readonly #sources = new Map<number, PaletteSource>();
  readonly #groups = this.#loaders.map((_load, id) =>
    signal<PaletteGroup>({ id, heading: '', state: 'loading', items: [], hasMore: false }),
  );
  readonly #limits = new Map<number, number>();
  #query = '';
  #search = new AbortController();

  readonly all: Signal<readonly PaletteGroup[]> = computed(() => this.#groups.map((group) => group()));
  readonly isLoading = computed(() => this.all().some(({ state }) => state === 'loading'));
  readonly failed = computed(() => this.all().filter(({ state }) => state === 'failed'));

  find(query: string): void {
    this.stop();
    this.#search = new AbortController();
    this.#limits.clear();
    this.#query = query;
    for (const id of this.#loaders.keys()) this.#start(id, query.trim() === '' ? FIRST_LIMIT : LIMIT);
  }

  /** Shows more results of one source until the query changes. */
  showMore(id: number): void {
    this.#start(id, (this.#limits.get(id) ?? LIMIT) * MORE_FACTOR);
  }

  stop(): void {
    this.#search.abort();
  }

  #start(id: number, limit: number): void {
    const load = this.#loaders[id];
    this.#limits.set(id, limit);
    if (load) void this.#findIn({ id, load, limit, query: this.#query, signal: this.#search.signal });
  }

  async #findIn({ id, load, query, limit, signal }: Search): Promise<void> {
    const set = (change: Partial<PaletteGroup>): void => {
      if (!signal.aborted) this.#groups[id]?.update((group) => ({ ...group, ...change }));
    };
    try {
      // A source that failed to load is loaded again with the next query.
      const source = this.#sources.get(id) ?? this.#injector.get(await load());
      this.#sources.set(id, source);
      if (signal.aborted) return;
      set({ heading: source.heading });
      // One more than shown tells whether there are more.
      const found = source.find(query, limit + 1, signal);
      if (found instanceof Promise) set({ state: 'loading' });
      const items = await found;
      const hasMore = items.length > limit;
      set({ items: items.slice(0, limit), hasMore, state: 'ready', note: source.note?.() });
    } catch {
      set({ items: [], hasMore: false, state: 'failed', note: undefined });
    }
  }
}
