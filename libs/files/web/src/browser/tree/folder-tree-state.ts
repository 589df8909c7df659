import { computed, inject, Service, signal } from '@angular/core';
import { AuthSession } from '@homeport/identity/web';
import { parentOf } from '../../tree/display-path';

const STORAGE_KEY = 'homeport.folder-tree';

/** Whether the folder tree is shown, which this device remembers, and the expanded folders. */
@Service()
export class FolderTreeState {
  readonly #session = inject(AuthSession);
  readonly #isShown = signal(storedShown());
  /** Another user starts with collapsed folders. */
  readonly #expanded = computed(() => {
    this.#session.userScope();
    return signal<ReadonlySet<string>>(new Set(['']));
  });
  readonly isShown = this.#isShown.asReadonly();
  readonly expanded = computed(() => this.#expanded()());

  show(isShown: boolean): void {
    this.#isShown.set(isShown);
    try {
      localStorage.setItem(STORAGE_KEY, isShown ? 'on' : 'off');
    } catch {
      // When storage is blocked, the setting lasts until the page closes.
    }
  }

  expand(path: string): void {
    this.#expanded().update((expanded) => new Set([...expanded, path]));
  }

  collapse(path: string): void {
    this.#expanded().update((expanded) => new Set([...expanded].filter((each) => each !== path)));
  }

  /** Expands all folders above a folder. */
  reveal(path: string): void {
    const above = new Set(['']);
    for (let each = parentOf(path); each !== ''; each = parentOf(each)) above.add(each);
    if (![...above].every((each) => this.expanded().has(each)))
      this.#expanded().update((expanded) => new Set([...expanded, ...above]));
  }
}

function storedShown(): boolean {
  try {
    return localStorage.getItem(STORAGE_KEY) !== 'off';
  } catch {
    return true;
  }
}
