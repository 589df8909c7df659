import mime from 'mime';

/** The request headers that tell how a resource is requested. */
export interface FetchMetadata {
  readonly 'sec-fetch-mode'?: string | string[] | undefined;
  readonly accept?: string | undefined;
}

/**
 * Whether a request opens a page. Browsers send `Sec-Fetch-Mode`; without it, a request for HTML counts as a navigation
 * unless its path has the extension of another file type, such as a script or an image.
 */
export function isNavigation(headers: FetchMetadata, path: string | undefined): boolean {
  const mode = headers['sec-fetch-mode'];
  if (mode !== undefined) return mode === 'navigate';
  return headers.accept?.includes('text/html') === true && !isAsset(path ?? '');
}

function isAsset(path: string): boolean {
  const type = mime.getType(path);
  return type !== null && type !== 'text/html';
}
