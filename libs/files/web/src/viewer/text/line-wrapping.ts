import { Service, signal } from '@angular/core';

const STORAGE_KEY = 'homeport.wrap';

/** Whether long lines wrap; remembered on this device. */
@Service()
export class LineWrapping {
  readonly #on = signal(stored());
  readonly on = this.#on.asReadonly();

  toggle(): void {
    this.#on.update((on) => !on);
    try {
      localStorage.setItem(STORAGE_KEY, this.#on() ? 'on' : 'off');
    } catch {
      // When storage is blocked, the setting lasts until the page closes.
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
