import { pathFromSegments } from '../../tree/file-links';
import { displayDirectory } from '../../tree/display-path';

/** A folder at an element of the page. */
export interface FolderElement {
  readonly path: string;
  /** The element to highlight. */
  readonly element: HTMLElement;
}

/**
 * The folder that an element belongs to: a row of the list, or a link to a folder, such as in the path and in the folder
 * tree.
 *
 * @param folderOfRow the folder of a row by its index; undefined for a file.
 */
export function folderAt(
  target: EventTarget | null,
  folderOfRow: (index: number) => string | undefined,
): FolderElement | undefined {
  if (!(target instanceof Element)) return undefined;
  const row = target.closest<HTMLElement>('[data-index]');
  if (row) {
    const path = folderOfRow(Number(row.dataset['index']));
    return path === undefined ? undefined : { path, element: row };
  }
  const link = target.closest('a');
  const path = link ? folderOfLink(link) : undefined;
  return link && path !== undefined ? { path, element: link } : undefined;
}

function folderOfLink({ origin, pathname }: HTMLAnchorElement): string | undefined {
  return origin === location.origin ? folderOfUrl(pathname) : undefined;
}

/** The folder of the path of a URL; undefined for other pages. */
export function folderOfUrl(pathname: string): string | undefined {
  const segments = pathname.split('/').slice(1);
  if (segments[0] !== 'files') return undefined;
  try {
    return displayDirectory(pathFromSegments(segments.map((path) => ({ path: decodeURIComponent(path) }))));
  } catch {
    return undefined;
  }
}
