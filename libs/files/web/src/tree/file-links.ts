import { encodeFilePath } from '@homeport/files/contracts';

/** Router commands for the page that shows a file. Segments stay apart: the router encodes each one by itself. */
export function viewLink(key: string): readonly string[] {
  return ['/view', ...key.split('/')];
}

/** Router commands for the page that edits a file. */
export function editLink(key: string): readonly string[] {
  return ['/edit', ...key.split('/')];
}

/** Router commands for a directory by its shown path; the empty path is the root. */
export function directoryLink(path: string): readonly string[] {
  if (path === '') return ['/files'];
  const segments = path.split('/');
  // Reading the address takes one workspace segment off, so a directory really called that needs another one.
  return segments[0] === 'workspace' ? ['/files', 'workspace', ...segments] : ['/files', ...segments];
}

/** The address of the page that shows a file, to hand to someone. Brackets are encoded: the router reads them. */
export function viewUrl(key: string): string {
  return `/view/${encodeFilePath(key).replace(/[()]/g, (sign) => (sign === '(' ? '%28' : '%29'))}`;
}

/** The key in the segments behind `/view` or the directory in those behind `/files`, both already decoded. */
export function pathFromSegments(segments: readonly { readonly path: string }[]): string {
  return segments
    .slice(1)
    .map(({ path }) => path)
    .join('/');
}

/** The address of a file in the API. */
export function fileApiUrl(path: string): string {
  return `/api/files/${encodeFilePath(path)}`;
}
