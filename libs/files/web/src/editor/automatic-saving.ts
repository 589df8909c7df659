import { effect, Injectable, inject, signal } from '@angular/core';
import { EditSession } from './edit-session';

const STORAGE_KEY = 'homeport.autosave';
/** How long after the last change the text is saved. */
const PAUSE_MS = 1000;

/** Saves the text of an editor shortly after each change, when the person has chosen so on this device. */
@Injectable()
export class AutomaticSaving {
  readonly #editing = inject(EditSession);
  readonly #on = signal(stored());
  readonly on = this.#on.asReadonly();

  constructor() {
    effect((onCleanup) => {
      // Each change restarts the pause.
      this.#editing.text();
      if (!this.isDue()) return;
      const timer = setTimeout(() => void this.#editing.save(), PAUSE_MS);
      onCleanup(() => clearTimeout(timer));
    });
  }

  /**
   * Whether the shown text will be saved without a request of the person. A failed save is repeated on request only, a
   * restored draft waits for the decision about it, and an empty new file for its first character.
   */
  isDue(): boolean {
    const { phase, isDirty, isNew, text, saving, problem, restored } = this.#editing;
    if (!this.#on() || phase().kind !== 'editing' || !isDirty() || (isNew() && text() === '')) return false;
    return !saving() && !problem() && !restored();
  }

  /** Saves a text that is still due, before the editor is left. */
  async finish(): Promise<void> {
    if (this.isDue()) await this.#editing.save();
  }

  toggle(): void {
    this.#on.update((on) => !on);
    try {
      localStorage.setItem(STORAGE_KEY, this.#on() ? 'on' : 'off');
    } catch {
      // When storage is blocked, the setting lasts until the editor closes.
    }
  }
}

function stored(): boolean {
  try {
    return localStorage.getItem(STORAGE_KEY) === 'on';
  } catch {
    return false;
  }
}
