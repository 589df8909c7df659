import { inject, Service } from '@angular/core';
import { NavigationEnd, NavigationStart, Router } from '@angular/router';
import { pathFromSegments } from '../tree/file-links';
import { parentOf, displayDirectory, displayPath } from '../tree/file-tree';
import { directoryId, fileId } from './grid/rows';

/** What a directory should look like when somebody comes back to it. */
export interface RestoredPosition {
  /** Pixels from the top; undefined when it is not the same place again. */
  readonly scroll: number | undefined;
  /** The line one came from, if it was one of them. */
  readonly line: string | undefined;
}

/** Remembers where people were in the directories they left. */
@Service()
export class DirectoryScrollRestoration {
  readonly #router = inject(Router);
  readonly #scrolls = new Map<string, number>();
  #left = '';

  constructor() {
    let here = this.#router.url;
    this.#router.events.subscribe((event) => {
      if (event instanceof NavigationStart) this.#scrolls.set(here, scrollY);
      if (event instanceof NavigationEnd) {
        if (pathOf(here) !== pathOf(event.urlAfterRedirects)) this.#left = here;
        here = event.urlAfterRedirects;
      }
    });
  }

  /** Where to go in the directory that has just been opened. */
  positionIn(directory: string): RestoredPosition {
    const navigation = this.#router.lastSuccessfulNavigation();
    const isBack = navigation?.trigger === 'popstate';
    return {
      scroll: isBack ? this.#scrolls.get(this.#router.url) : undefined,
      line: this.#left ? this.#lineIn(directory) : undefined,
    };
  }

  #lineIn(directory: string): string | undefined {
    const { segments = [] } = this.#router.parseUrl(this.#left).root.children['primary'] ?? {};
    const path = pathFromSegments(segments);
    const [first] = segments;
    if (first?.path === 'files') {
      const left = displayDirectory(path);
      return left !== '' && parentOf(left) === directory ? directoryId(left) : undefined;
    }
    const isFile = first?.path === 'view' || first?.path === 'edit';
    return isFile && parentOf(displayPath(path)) === directory ? fileId(path) : undefined;
  }
}

function pathOf(url: string): string {
  return url.replace(/[?#].*/, '');
}
