import { encodeFilePath } from '@homeport/files/contracts';

/** Router commands for the page that shows a file. Segments are separate, because the router encodes each one. */
export function viewLink(key: string): readonly string[] {
  return ['/view', ...key.split('/')];
}

/** Router commands for the page that edits a file. */
export function editLink(key: string): readonly string[] {
  return ['/edit', ...key.split('/')];
}

/** Router commands for a directory by its display path; the empty path is the root. */
export function directoryLink(path: string): readonly string[] {
  if (path === '') return ['/files'];
  const segments = path.split('/');
  // Reading the URL removes one workspace segment, so a directory with that name needs a second one.
  return segments[0] === 'workspace' ? ['/files', 'workspace', ...segments] : ['/files', ...segments];
}

/** The URL of the page that shows a file, for sharing. Parentheses are encoded, because the router interprets them. */
export function viewUrl(key: string): string {
  return `/view/${encodeFilePath(key).replace(/[()]/g, (sign) => (sign === '(' ? '%28' : '%29'))}`;
}

/** The key after `/view`, or the directory after `/files`, from the decoded segments of a URL. */
export function pathFromSegments(segments: readonly { readonly path: string }[]): string {
  return segments
    .slice(1)
    .map(({ path }) => path)
    .join('/');
}

/** The URL of a file in the API. */
export function fileApiUrl(path: string): string {
  return `/api/files/${encodeFilePath(path)}`;
}
