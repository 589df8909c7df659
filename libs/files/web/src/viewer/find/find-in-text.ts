import {
  ApplicationRef,
  computed,
  DestroyRef,
  DOCUMENT,
  effect,
  inject,
  resource,
  type Signal,
  signal,
  untracked,
} from '@angular/core';
import { pageShortcuts } from '@homeport/platform/web';
import type { TextMatches } from '../text/match-highlights';
import type { FindBar } from './find-bar';
import { type FindQuery, matchOffsets } from './match-offsets';
import { type SearchableText, TextSearch } from './text-search';

export interface FindInTextOptions {
  readonly text: Signal<SearchableText>;
  /** The part on the screen and its text; undefined while it is loading. */
  readonly shown: Signal<{ readonly number: number; readonly text: string } | undefined>;
  readonly bar: Signal<FindBar | undefined>;
  /** Shows another part. */
  readonly show: (part: number) => void;
}

export interface FindInText {
  readonly search: TextSearch;
  readonly isOpen: Signal<boolean>;
  /** The matches in the part on the screen. */
  readonly matches: Signal<TextMatches | undefined>;
  open(): void;
  close(): void;
  find(query: FindQuery): void;
}

/** Searches the text of a view and opens the find bar with Ctrl+F. Requires an injection context. */
export function findInText({ text, shown, bar, show }: FindInTextOptions): FindInText {
  const [app, document] = [inject(ApplicationRef), inject(DOCUMENT)];
  const search = new TextSearch();
  const isOpen = signal(false);
  let focusBefore: Element | null = null;
  effect(() => {
    const current = search.current();
    if (current) untracked(() => show(current.part));
  });
  const open = (): void => {
    if (isOpen()) return;
    focusBefore = document.activeElement;
    isOpen.set(true);
    // Renders the bar now: its field gets the focus before the user types the next character.
    app.tick();
  };
  const close = (): void => {
    search.stop();
    isOpen.set(false);
    // Another part of the file has another element.
    const isKept = focusBefore?.isConnected === true && focusBefore !== document.body;
    const target = isKept ? focusBefore : document.querySelector('main pre');
    (target as HTMLElement | null)?.focus({ preventScroll: true });
  };
  // With the focus in the bar already, the shortcut opens the search of the browser.
  onFindKey(() => {
    if (isOpen()) return bar()?.focus() !== false;
    open();
    return true;
  });
  inject(DestroyRef).onDestroy(() => search.stop());
  const find = (query: FindQuery): void => void search.start(text(), query, shown()?.number ?? 0);
  return { search, isOpen, matches: shownMatches(search, shown), open, close, find };
}

/** The matches in the part on the screen. */
function shownMatches(search: TextSearch, shown: FindInTextOptions['shown']): Signal<TextMatches | undefined> {
  const found = resource({
    params: () => {
      const [part, query] = [shown(), search.query()];
      return part && query.text !== '' ? { part, query } : undefined;
    },
    loader: async ({ params: { part, query }, abortSignal }) => ({
      part: part.number,
      length: query.text.length,
      offsets: await matchOffsets(part.text, query, abortSignal),
    }),
  });
  return computed(() => {
    const [result, current, part] = [found.hasValue() ? found.value() : undefined, search.current(), shown()];
    if (!result || result.part !== part?.number) return undefined;
    return { ...result, current: current?.part === result.part ? current.index : undefined };
  });
}

/** Handles Ctrl+F and lists the keys of the search in the help. @param run returns whether it has handled the key. */
function onFindKey(run: () => boolean): void {
  const document = inject(DOCUMENT);
  const press = (event: KeyboardEvent): void => {
    const isFind = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key === 'f';
    if (!isFind || event.defaultPrevented || document.querySelector('[aria-modal="true"]')) return;
    if (run()) event.preventDefault();
  };
  document.addEventListener('keydown', press);
  inject(DestroyRef).onDestroy(() => document.removeEventListener('keydown', press));
  pageShortcuts(() => ({
    heading: $localize`In this file`,
    shortcuts: [
      { keys: ['Mod', 'F'], label: $localize`Find in this file` },
      { keys: ['Enter'], label: $localize`Next match` },
      { keys: ['Shift', 'Enter'], label: $localize`Previous match` },
    ],
  }));
}
