import { inject, Service, signal } from '@angular/core';
import { AuthSession } from '@homeport/identity/web';
import { MAIN_DIRECTORIES } from '../tree/main-directories';

/**
 * The directories that exist although they may be empty: the root, the main directories, and those that had files while
 * the app was open. The server stores no directories, so it cannot tell an empty one from a missing one.
 */
@Service()
export class KnownDirectories {
  readonly #session = inject(AuthSession);
  readonly #seen = signal<ReadonlySet<string>>(new Set());

  add(path: string): void {
    const entry = this.#entryFor(path);
    if (!this.#seen().has(entry)) this.#seen.update((seen) => new Set([...seen, entry]));
  }

  has(path: string): boolean {
    const isMain = path === '' || MAIN_DIRECTORIES.some((each) => each === path);
    return isMain || this.#seen().has(this.#entryFor(path));
  }

  /** Another user does not see which directories the previous one had. */
  #entryFor(path: string): string {
    return `${this.#session.userScope() ?? ''}\n${path}`;
  }
}
