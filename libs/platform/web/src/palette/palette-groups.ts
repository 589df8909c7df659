import { computed, inject, Injector, Service, signal, type Signal, type Type } from '@angular/core';
import { PALETTE_SOURCES, type PaletteItem, type PaletteSource } from './palette-source';

export type GroupState = 'loading' | 'failed' | 'ready';

/** The results of one source. */
export interface PaletteGroup {
  readonly id: number;
  readonly heading: string;
  readonly state: GroupState;
  readonly items: readonly PaletteItem[];
  /** Why the results may be incomplete. */
  readonly note?: string | undefined;
}

interface Search {
  readonly id: number;
  readonly load: () => Promise<Type<PaletteSource>>;
  readonly query: string;
  readonly signal: AbortSignal;
}

/** Maximum results per source. */
const LIMIT = 8;

/** Searches all sources in parallel; each one completes or fails independently. */
@Service({ autoProvided: false })
export class PaletteGroups {
  readonly #injector = inject(Injector);
  readonly #loaders = inject(PALETTE_SOURCES, { optional: true }) ?? [];
  readonly #sources = new Map<number, PaletteSource>();
  readonly #groups = this.#loaders.map((_load, id) =>
    signal<PaletteGroup>({ id, heading: '', state: 'loading', items: [] }),
  );
  #search = new AbortController();

  readonly all: Signal<readonly PaletteGroup[]> = computed(() => this.#groups.map((group) => group()));
  readonly isLoading = computed(() => this.all().some(({ state }) => state === 'loading'));
  readonly failed = computed(() => this.all().filter(({ state }) => state === 'failed'));

  find(query: string): void {
    this.stop();
    this.#search = new AbortController();
    for (const [id, load] of this.#loaders.entries())
      void this.#findIn({ id, load, query, signal: this.#search.signal });
  }

  stop(): void {
    this.#search.abort();
  }

  async #findIn({ id, load, query, signal }: Search): Promise<void> {
    const set = (change: Partial<PaletteGroup>): void => {
      if (!signal.aborted) this.#groups[id]?.update((group) => ({ ...group, ...change }));
    };
    try {
      // A source that failed to load is loaded again with the next query.
      const source = this.#sources.get(id) ?? this.#injector.get(await load());
      this.#sources.set(id, source);
      if (signal.aborted) return;
      set({ heading: source.heading });
      const found = source.find(query, LIMIT, signal);
      if (found instanceof Promise) set({ state: 'loading' });
      const items = await found;
      set({ items, state: 'ready', note: source.note?.() });
    } catch {
      set({ items: [], state: 'failed', note: undefined });
    }
  }
}
