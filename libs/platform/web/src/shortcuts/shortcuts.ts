import { computed, DestroyRef, inject, Service, signal } from '@angular/core';

export interface Shortcut {
  /** Key labels in the order they are pressed; `Mod` is Ctrl, on a Mac Command. */
  readonly keys: readonly string[];
  readonly label: string;
}

export interface ShortcutGroup {
  readonly heading: string;
  readonly shortcuts: readonly Shortcut[];
}

/** The shortcuts that are currently available, for the help dialog. */
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

/** Lists shortcuts in the help until the page is destroyed. Requires an injection context. */
export function pageShortcuts(group: () => ShortcutGroup): void {
  const shortcuts = inject(Shortcuts);
  shortcuts.add(group);
  inject(DestroyRef).onDestroy(() => shortcuts.remove(group));
}
