import { computed, Service, signal, type Signal } from '@angular/core';

/**
 * How a long work stands. `attention`: it waits for an answer, or has ended with something left for the person to do.
 */
export type ActivityState = 'running' | 'attention' | 'done' | 'failed' | 'cancelled';

/** What there is to see of a long work; its owner computes it anew whenever something changes. */
export interface ActivityView {
  readonly title: string;
  readonly detail?: string;
  /** From 0 to 1; undefined while nobody can know. */
  readonly progress?: number;
  readonly state: ActivityState;
  readonly actions?: readonly { readonly label: string; readonly run: () => void }[];
  /** What did not work, a line each. */
  readonly problems?: readonly string[];
}

export interface Activity {
  readonly id: number;
  readonly view: Signal<ActivityView>;
}

/** Everything that takes its time, in one place: uploads, moves, deletions of many. It outlives the page that began it. */
@Service()
export class Activities {
  readonly #list = signal<readonly Activity[]>([]);
  readonly list = this.#list.asReadonly();
  readonly running = computed(() => this.#list().filter(({ view }) => isOpen(view().state)));
  #lastId = 0;

  constructor() {
    addEventListener('beforeunload', (event) => {
      if (this.running().length > 0) event.preventDefault();
    });
  }

  /** Shows a work until it is dismissed. */
  add(view: Signal<ActivityView>): Activity {
    this.#lastId += 1;
    const activity = { id: this.#lastId, view };
    this.#list.update((list) => [...list, activity]);
    return activity;
  }

  dismiss(id: number): void {
    this.#list.update((list) => list.filter((each) => each.id !== id));
  }
}

function isOpen(state: ActivityState): boolean {
  return state === 'running' || state === 'attention';
}
