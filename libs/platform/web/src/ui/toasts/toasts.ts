import { computed, DestroyRef, DOCUMENT, inject, Service, signal } from '@angular/core';
import { Countdown } from './countdown';

/** How a toast ended: its action was used, the user closed it, or its time ran out. */
export type ToastEnd = 'action' | 'closed' | 'ran-out';

export interface ToastAction {
  readonly label: string;
  readonly run: () => void;
  /** Whether the action undoes what the toast reports, so that Ctrl+Z runs it too. */
  readonly isUndo?: boolean;
}

export interface ToastOptions {
  /** Closes a toast with an action after a while, such as an undo. By default it stays until the user responds. */
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

/** Short messages about recent events, at most three at a time. */
@Service()
export class Toasts {
  readonly #document = inject(DOCUMENT);
  readonly #all = signal<readonly Toast[]>([]);
  readonly #states = new Map<number, ToastState>();
  readonly #isPaused = signal(false);
  #lastId = 0;

  /** The visible toasts, newest last. */
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
    this.#states.set(id, { countdown, end: resolve });
    this.#all.update((list) => [...list, { id, text, ...(action && { action }) }]);
    this.#makeRoom();
    this.#setTime();
    return { close: () => this.end(id, 'closed'), ended: promise };
  }

  /** Reports an action and offers to undo it for a while, by the button of the toast or by Ctrl+Z. */
  showUndo(text: string, run: () => void): ToastHandle {
    return this.show(text, { label: $localize`Undo`, run, isUndo: true }, { autoClose: true });
  }

  /** Undoes the newest action that can be undone. @returns whether there was one. */
  undo(): boolean {
    const toast = this.#all().findLast(({ action }) => action?.isUndo);
    if (toast) this.runAction(toast);
    return toast !== undefined;
  }

  runAction({ id, action }: Toast): void {
    this.end(id, 'action');
    action?.run();
  }

  /** Removes a toast; a second call does nothing. */
  end(id: number, how: ToastEnd): void {
    const state = this.#states.get(id);
    this.#states.delete(id);
    this.#all.update((list) => list.filter((toast) => toast.id !== id));
    state?.countdown?.pause();
    state?.end(how);
  }

  /** Stops all timers while the user reads or reaches for a toast. */
  setPaused(isPaused: boolean): void {
    this.#isPaused.set(isPaused);
    this.#setTime();
  }

  /** Ends the oldest timed toasts above the limit; toasts that wait for an answer stay queued. */
  #makeRoom(): void {
    const timed = this.#all().filter(({ id }) => this.#states.get(id)?.countdown);
    const tooMany = this.#all().length - MAX_VISIBLE;
    for (const { id } of timed.slice(0, Math.max(0, Math.min(tooMany, timed.length - 1)))) this.end(id, 'ran-out');
  }

  #setTime(): void {
    const isStill = this.#isPaused() || this.#document.visibilityState === 'hidden';
    for (const { countdown } of this.#states.values()) {
      if (isStill) countdown?.pause();
      else countdown?.run();
    }
  }
}
