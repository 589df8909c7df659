import { computed, Service, signal, type Signal } from '@angular/core';

/**
 * State of an activity. `attention`: it waits for an answer, or ended with something left for the user to do. `waiting`:
 * it is stored on this device and continues later, also after the page is closed.
 */
export type ActivityState = 'running' | 'waiting' | 'attention' | 'done' | 'failed' | 'cancelled';

/** What the panel shows of an activity; the owner recomputes it on every change. */
export interface ActivityView {
  readonly title: string;
  readonly detail?: string;
  /** Progress from 0 to 1; undefined when it cannot be measured. */
  readonly progress?: number;
  readonly state: ActivityState;
  readonly actions?: readonly { readonly label: string; readonly run: () => void }[];
  /** What screen readers announce at the end instead of title and state; empty for nothing. */
  readonly announcement?: string;
  /** One line per error. */
  readonly problems?: readonly string[];
}

export interface Activity {
  readonly id: number;
  readonly view: Signal<ActivityView>;
}

/** All long-running work: uploads, moves, bulk deletions. An activity outlives the page that started it. */
@Service()
export class Activities {
  readonly #list = signal<readonly Activity[]>([]);
  readonly list = this.#list.asReadonly();
  readonly #hasStarted = signal(false);
  /** Whether there was an activity since the page was opened. */
  readonly hasStarted = this.#hasStarted.asReadonly();
  readonly #opened = signal(0);
  /** Changes each time the panel is to be opened. */
  readonly opened = this.#opened.asReadonly();
  readonly running = computed(() => this.#list().filter(({ view }) => isOpen(view().state)));
  #lastId = 0;

  constructor() {
    addEventListener('beforeunload', (event) => {
      if (this.running().length > 0) event.preventDefault();
    });
  }

  /** Shows an activity until it is dismissed. */
  add(view: Signal<ActivityView>): Activity {
    this.#lastId += 1;
    const activity = { id: this.#lastId, view };
    this.#list.update((list) => [...list, activity]);
    this.#hasStarted.set(true);
    return activity;
  }

  /** Opens the panel with all activities. */
  open(): void {
    this.#opened.update((count) => count + 1);
  }

  dismiss(id: number): void {
    this.#list.update((list) => list.filter((each) => each.id !== id));
  }
}

function isOpen(state: ActivityState): boolean {
  return state === 'running' || state === 'attention';
}
