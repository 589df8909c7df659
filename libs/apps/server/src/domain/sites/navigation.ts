import mime from 'mime';

/** What a request says about who asks. */
export interface FetchMetadata {
  readonly 'sec-fetch-mode'?: string | string[] | undefined;
  readonly accept?: string | undefined;
}

/**
 * Whether a person opens an address, as far as can be told: browsers say so, and what does not say asks for HTML at an
 * address that is not that of a script or picture.
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
