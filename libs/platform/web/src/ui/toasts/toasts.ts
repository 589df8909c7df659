import { computed, DestroyRef, DOCUMENT, inject, Service, signal } from '@angular/core';
import { Countdown } from './countdown';

/** How a toast ended: its action was used, the person closed it, or its time ran out. */
export type ToastEnd = 'action' | 'closed' | 'ran-out';

export interface ToastAction {
  readonly label: string;
  readonly run: () => void;
}

export interface ToastOptions {
  /** An offer that ends by itself, as an undo does. Without this, a toast with an action stays until it is answered. */
  readonly autoClose?: boolean;
}

export interface Toast {
  readonly id: number;
  readonly text: string;
  readonly action?: ToastAction;
}

export interface ToastHandle {
  close(): void;
  /** Never rejects. */
  readonly ended: Promise<ToastEnd>;
}

interface ToastState {
  readonly countdown: Countdown | undefined;
  readonly end: (how: ToastEnd) => void;
}

const SHOWN_MS = 6_000;
const ACTION_SHOWN_MS = 8_000;
const MAX_VISIBLE = 3;

/** Short messages about what just happened, three at a time. */
@Service()
export class Toasts {
  readonly #document = inject(DOCUMENT);
  readonly #all = signal<readonly Toast[]>([]);
  readonly #held = new Map<number, ToastState>();
  readonly #isPaused = signal(false);
  #lastId = 0;

  /** Those on the screen, the newest last. */
  readonly list = computed(() => this.#all().slice(-MAX_VISIBLE));

  constructor() {
    const hidden = (): void => this.#setTime();
    this.#document.addEventListener('visibilitychange', hidden);
    inject(DestroyRef).onDestroy(() => this.#document.removeEventListener('visibilitychange', hidden));
  }

  show(text: string, action?: ToastAction, options: ToastOptions = {}): ToastHandle {
    this.#lastId += 1;
    const id = this.#lastId;
    const { promise, resolve } = Promise.withResolvers<ToastEnd>();
    const limit = action ? ACTION_SHOWN_MS : SHOWN_MS;
    const isAutoClosed = !action || options.autoClose === true;
    const countdown = isAutoClosed ? new Countdown(limit, () => this.end(id, 'ran-out')) : undefined;
    this.#held.set(id, { countdown, end: resolve });
    this.#all.update((list) => [...list, { id, text, ...(action && { action }) }]);
    this.#makeRoom();
    this.#setTime();
    return { close: () => this.end(id, 'closed'), ended: promise };
  }

  /** Takes a toast away; the second time nothing happens. */
  end(id: number, how: ToastEnd): void {
    const held = this.#held.get(id);
    this.#held.delete(id);
    this.#all.update((list) => list.filter((toast) => toast.id !== id));
    held?.countdown?.pause();
    held?.end(how);
  }

  /** While somebody reads or reaches for a toast, none goes by itself. */
  setPaused(isPaused: boolean): void {
    this.#isPaused.set(isPaused);
    this.#setTime();
  }

  /** What does not fit any more ends as if its time were over; what waits for an answer is kept below. */
  #makeRoom(): void {
    const passing = this.#all().filter(({ id }) => this.#held.get(id)?.countdown);
    const tooMany = this.#all().length - MAX_VISIBLE;
    for (const { id } of passing.slice(0, Math.max(0, Math.min(tooMany, passing.length - 1)))) this.end(id, 'ran-out');
  }

  #setTime(): void {
    const isStill = this.#isPaused() || this.#document.visibilityState === 'hidden';
    for (const { countdown } of this.#held.values()) {
      if (isStill) countdown?.pause();
      else countdown?.run();
    }
  }
}
