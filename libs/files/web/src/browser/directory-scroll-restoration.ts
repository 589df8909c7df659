import { inject, Service } from '@angular/core';
import { NavigationEnd, NavigationStart, Router } from '@angular/router';
import { pathFromSegments } from '../tree/file-links';
import { parentOf, displayDirectory, displayPath } from '../tree/display-path';
import { directoryId, fileId } from './grid/rows';

/** The position to restore when the user returns to a directory. */
export interface RestoredPosition {
  /** Pixels from the top; undefined unless the user went back in the history. */
  readonly scroll: number | undefined;
  /** The row of the page that the user came from, if it belongs to this directory. */
  readonly row: string | undefined;
}

/** Remembers the scroll position and the opened row of each directory. */
@Service()
export class DirectoryScrollRestoration {
  readonly #router = inject(Router);
  readonly #scrollPositions = new Map<string, number>();
  #previousUrl = '';

  constructor() {
    let currentUrl = this.#router.url;
    this.#router.events.subscribe((event) => {
      if (event instanceof NavigationStart) this.#scrollPositions.set(currentUrl, scrollY);
      if (event instanceof NavigationEnd) {
        if (pathOf(currentUrl) !== pathOf(event.urlAfterRedirects)) this.#previousUrl = currentUrl;
        currentUrl = event.urlAfterRedirects;
      }
    });
  }

  /** @returns the position to restore in the directory that was just opened. */
  positionIn(directory: string): RestoredPosition {
    const navigation = this.#router.lastSuccessfulNavigation();
    const isBack = navigation?.trigger === 'popstate';
    return {
      scroll: isBack ? this.#scrollPositions.get(this.#router.url) : undefined,
      row: this.#previousUrl ? this.#rowIn(directory) : undefined,
    };
  }

  #rowIn(directory: string): string | undefined {
    const { segments = [] } = this.#router.parseUrl(this.#previousUrl).root.children['primary'] ?? {};
    const path = pathFromSegments(segments);
    const [first] = segments;
    if (first?.path === 'files') {
      const previousDirectory = displayDirectory(path);
      return previousDirectory !== '' && parentOf(previousDirectory) === directory
        ? directoryId(previousDirectory)
        : undefined;
    }
    const isFile = first?.path === 'view' || first?.path === 'edit';
    return isFile && parentOf(displayPath(path)) === directory ? fileId(path) : undefined;
  }
}

function pathOf(url: string): string {
  return url.replace(/[?#].*/, '');
}
