import { inject, Service, signal } from '@angular/core';
import { AuthSession } from '@homeport/identity/web';
import { BY_NAME, type SortOrder } from '../tree/sort-rows';

/** How a directory was listed last. */
export interface DirectoryView {
  readonly order: SortOrder;
  readonly filter: string;
}

export const DEFAULT_VIEW: DirectoryView = { order: BY_NAME, filter: '' };

/** Remembers the sort order and the filter of each directory while the app is open. */
@Service()
export class DirectoryViews {
  readonly #session = inject(AuthSession);
  readonly #views = signal<ReadonlyMap<string, DirectoryView>>(new Map());

  remember(path: string, view: DirectoryView): void {
    this.#views.update((views) => new Map(views).set(this.#entryFor(path), view));
  }

  /** Undefined for a directory that was not listed. */
  of(path: string): DirectoryView | undefined {
    return this.#views().get(this.#entryFor(path));
  }

  /** Another user does not see what the previous one searched for. */
  #entryFor(path: string): string {
    return `${this.#session.userScope() ?? ''}\n${path}`;
  }
}
