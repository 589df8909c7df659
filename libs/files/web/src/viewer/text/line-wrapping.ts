import { Service, signal } from '@angular/core';

const STORAGE_KEY = 'homeport.wrap';

/** Whether long lines wrap, as the person last chose on this device. */
@Service()
export class LineWrapping {
  readonly #on = signal(stored());
  readonly on = this.#on.asReadonly();

  toggle(): void {
    this.#on.update((on) => !on);
    try {
      localStorage.setItem(STORAGE_KEY, this.#on() ? 'on' : 'off');
    } catch {
      // Storage may be closed: the choice then lasts until the page closes.
    }
  }
}

function stored(): boolean {
  try {
    return localStorage.getItem(STORAGE_KEY) !== 'off';
  } catch {
    return true;
  }
}
