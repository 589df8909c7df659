import { computed, DestroyRef, inject, Service, signal } from '@angular/core';

export interface Shortcut {
  /** As printed on the keys, in the order they are pressed; `Mod` is Ctrl, and Command on a Mac. */
  readonly keys: readonly string[];
  readonly label: string;
}

export interface ShortcutGroup {
  readonly heading: string;
  readonly shortcuts: readonly Shortcut[];
}

/** What the keys do right now: the help shows it. */
@Service()
export class Shortcuts {
  readonly #groups = signal<readonly (() => ShortcutGroup)[]>([]);
  readonly groups = computed(() => this.#groups().map((group) => group()));

  add(group: () => ShortcutGroup): void {
    this.#groups.update((groups) => [...groups, group]);
  }

  remove(group: () => ShortcutGroup): void {
    this.#groups.update((groups) => groups.filter((each) => each !== group));
  }
}

/** Names what keys do, as long as the page lives. Call it in an injection context. */
export function pageShortcuts(group: () => ShortcutGroup): void {
  const shortcuts = inject(Shortcuts);
  shortcuts.add(group);
  inject(DestroyRef).onDestroy(() => shortcuts.remove(group));
}
