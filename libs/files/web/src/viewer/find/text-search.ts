import { computed, signal } from '@angular/core';
import { asHttpProblem } from '@homeport/platform/web';
import { type FindQuery, matchOffsets, nextTask } from './match-offsets';

/** A text in one or more parts, which are read when they are searched. */
export interface SearchableText {
  readonly parts: number;
  /** @throws {HttpProblem} the part cannot be read. */
  read(part: number, signal: AbortSignal): Promise<string>;
}

/** One match: the part, and the position among its matches. */
export interface MatchPosition {
  readonly part: number;
  readonly index: number;
}

export type SearchState = 'idle' | 'searching' | 'done' | 'failed';

/** Searches a text part by part. Keeps only the number of matches of each part, so that memory use stays small. */
export class TextSearch {
  readonly #counts = signal<readonly (number | undefined)[]>([]);
  readonly #state = signal<SearchState>('idle');
  readonly #current = signal<MatchPosition | undefined>(undefined);
  readonly #query = signal<FindQuery>({ text: '', matchCase: false });
  #running = new AbortController();

  readonly query = this.#query.asReadonly();
  readonly state = this.#state.asReadonly();
  /** The selected match; undefined before the first one is found. */
  readonly current = this.#current.asReadonly();
  /** The number of matches found so far. */
  readonly total = computed(() => this.#counts().reduce<number>((sum, count) => sum + (count ?? 0), 0));
  /** The number of the selected match in the whole text, from 1; undefined until all parts before it are searched. */
  readonly ordinal = computed(() => {
    const current = this.#current();
    if (!current) return undefined;
    const before = this.#counts().slice(0, current.part);
    if (before.length < current.part || before.includes(undefined)) return undefined;
    return before.reduce<number>((sum, count) => sum + (count ?? 0), 0) + current.index + 1;
  });

  /** Searches all parts, beginning with the one that is shown. Never rejects: the state says how it ended. */
  async start(text: SearchableText, query: FindQuery, shown: number): Promise<void> {
    this.stop();
    this.#query.set(query);
    if (query.text === '') return;
    const { signal: aborted } = (this.#running = new AbortController());
    this.#counts.set(Array.from({ length: text.parts }, () => undefined));
    this.#state.set('searching');
    try {
      for (let step = 0; step < text.parts; step += 1) {
        await this.#searchPart(text, (shown + step) % text.parts, aborted);
        await nextTask();
      }
      if (!aborted.aborted) this.#state.set('done');
    } catch (error) {
      if (!aborted.aborted && asHttpProblem(error)) this.#state.set('failed');
    }
  }

  /** Forgets the search. */
  stop(): void {
    this.#running.abort();
    this.#query.update(({ matchCase }) => ({ text: '', matchCase }));
    this.#counts.set([]);
    this.#current.set(undefined);
    this.#state.set('idle');
  }

  /** Selects the next match, or the previous one; after the last match, the first one follows. */
  step(by: 1 | -1): void {
    const [current, counts] = [this.#current(), this.#counts()];
    if (!current) return;
    const index = current.index + by;
    if (index >= 0 && index < (counts[current.part] ?? 0)) return this.#current.set({ part: current.part, index });
    for (let distance = 1; distance <= counts.length; distance += 1) {
      const part = (current.part + by * distance + counts.length * distance) % counts.length;
      const count = counts[part] ?? 0;
      if (count > 0) return this.#current.set({ part, index: by === 1 ? 0 : count - 1 });
    }
  }

  async #searchPart(text: SearchableText, part: number, aborted: AbortSignal): Promise<void> {
    const { length } = await matchOffsets(await text.read(part, aborted), this.#query(), aborted);
    aborted.throwIfAborted();
    this.#counts.update((counts) => counts.map((count, at) => (at === part ? length : count)));
    if (length > 0 && !this.#current()) this.#current.set({ part, index: 0 });
  }
}
