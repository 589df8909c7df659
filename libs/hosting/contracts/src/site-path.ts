/** The longest path, and the longest segment of one, in UTF-8 bytes after NFC. */
export const MAX_PATH_BYTES = 1024;
const MAX_SEGMENT_BYTES = 255;

export type EntryName = { readonly path: string } | { readonly fault: string };

function nameFault(name: string): string | undefined {
  if (name.includes('\0')) return 'The name has a NUL character.';
  if (/\p{Cc}/u.test(name)) return 'The name has a control character.';
  if (name.includes('\uFFFD') || !name.isWellFormed()) return 'The name is not valid UTF-8.';
  if (name.startsWith('/')) return 'The name is an absolute path.';
  if (/^[a-z]:/i.test(name)) return 'The name is an absolute path: it starts with a drive letter.';
  if (name.includes('\\')) return 'The name has a backslash. Folders are separated by "/".';
  return undefined;
}

function segmentFault(segment: string): string | undefined {
  if (segment === '') return 'The name has an empty segment.';
  if (segment === '..') return 'The name leaves the site with "..".';
  if (segment === '.') return 'The name has a "." segment.';
  if (bytesOf(segment) > MAX_SEGMENT_BYTES) return `A segment of the name is longer than ${MAX_SEGMENT_BYTES} bytes.`;
  return undefined;
}

/**
 * Parses the name of an archive entry. The path is in NFC, without a leading "./" and, for a folder, without a trailing
 * "/". The folder "./" has the path "". Bytes that are not UTF-8 arrive as U+FFFD.
 * @returns the path, or the reason for rejecting the name.
 */
export function parseEntryName(name: string, kind: 'file' | 'folder'): EntryName {
  const whole = name.normalize('NFC');
  const bare = whole.startsWith('./') ? whole.slice(2) : whole;
  const fault = nameFault(bare);
  if (fault) return { fault };
  const path = kind === 'folder' ? bare.replace(/\/$/, '') : bare;
  if (path === '' || path === '.') return kind === 'folder' ? { path: '' } : { fault: 'The name is empty.' };
  // Checked before the segments, so that their number is bounded by 1,024.
  if (bytesOf(path) > MAX_PATH_BYTES) return { fault: 'The name is longer than 1,024 bytes.' };
  for (const segment of path.split('/')) {
    const found = segmentFault(segment);
    if (found) return { fault: found };
  }
  return { path };
}

/** Folders whose name has a meaning, or whose files are never published. */
const NEVER_STRIPPED = ['.well-known', '__MACOSX', '.git'];

/** @returns the folder that contains all paths, if there is one and it may be stripped. */
export function commonFolder(paths: readonly string[]): string | undefined {
  const [first] = paths;
  const slash = first?.indexOf('/') ?? -1;
  if (first === undefined || slash < 0) return undefined;
  const folder = first.slice(0, slash);
  if (NEVER_STRIPPED.includes(folder)) return undefined;
  return paths.every((path) => path.startsWith(`${folder}/`)) ? folder : undefined;
}

export interface PathConflict {
  readonly path: string;
  readonly reason: string;
}

const FILE_AND_FOLDER = 'The name is a file and a folder at once.';

/** Finds files whose names conflict with each other or with folders on case-insensitive systems. */
export function findPathConflicts(files: readonly string[], folders: Iterable<string>): PathConflict[] {
  // "/" becomes a character that sorts before all others, so the files of a folder directly follow its name.
  const keyOf = (path: string) => path.toLowerCase().replaceAll('/', '\0');
  const keyed = files.map((path) => ({ path, key: keyOf(path) }));
  keyed.sort((a, b) => (a.key < b.key ? -1 : Number(a.key > b.key)));
  const adjacent = keyed.flatMap(({ path, key }, index): PathConflict[] => {
    const next = keyed[index + 1];
    if (next?.key === key) return [{ path: next.path, reason: duplicateNameReason(path, next.path) }];
    return next?.key.startsWith(`${key}\0`) ? [{ path, reason: FILE_AND_FOLDER }] : [];
  });
  const keys = new Set(keyed.map(({ key }) => key));
  const ambiguous = [...folders].filter((path) => keys.has(keyOf(path)));
  return [...adjacent, ...ambiguous.map((path) => ({ path, reason: FILE_AND_FOLDER }))];
}

function duplicateNameReason(one: string, other: string): string {
  return one === other ? 'The name appears twice.' : `The name differs from "${one}" only in upper and lower case.`;
}

/** The length of a text in UTF-8 bytes. */
export function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}
