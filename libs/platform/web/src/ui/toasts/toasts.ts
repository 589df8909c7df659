import { Service, signal } from '@angular/core';

export interface Toast {
  readonly id: number;
  readonly text: string;
  readonly action?: { readonly label: string; readonly run: () => void };
}

const SHOWN_MS = 6_000;

/** Short messages about what just happened. One with an action stays until it is used or closed. */
@Service()
export class Toasts {
  readonly #list = signal<readonly Toast[]>([]);
  readonly list = this.#list.asReadonly();
  #lastId = 0;

  show(text: string, action?: Toast['action']): void {
    this.#lastId += 1;
    const toast: Toast = { id: this.#lastId, text, ...(action && { action }) };
    this.#list.update((list) => [...list, toast]);
    if (!action) setTimeout(() => this.close(toast.id), SHOWN_MS);
  }

  close(id: number): void {
    this.#list.update((list) => list.filter((toast) => toast.id !== id));
  }
}
