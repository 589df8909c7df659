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
  if (exceeds(segment, MAX_SEGMENT_BYTES)) return `A segment of the name is longer than ${MAX_SEGMENT_BYTES} bytes.`;
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
  if (exceeds(path, MAX_PATH_BYTES)) return { fault: 'The name is longer than 1,024 bytes.' };
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
  const conflicts: PathConflict[] = [];
  const filesByKey = new Map<string, string>();
  for (const path of files) {
    const key = path.toLowerCase();
    const other = filesByKey.get(key);
    if (other === undefined) filesByKey.set(key, path);
    else conflicts.push({ path, reason: duplicateNameReason(other, path) });
  }
  for (const key of parentFolders(filesByKey.keys())) {
    const path = filesByKey.get(key);
    if (path !== undefined) conflicts.push({ path, reason: FILE_AND_FOLDER });
  }
  const ambiguous = [...folders].filter((path) => filesByKey.has(path.toLowerCase()));
  return [...conflicts, ...ambiguous.map((path) => ({ path, reason: FILE_AND_FOLDER }))];
}

/** The folders on the way to the paths. */
function parentFolders(paths: Iterable<string>): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const path of paths) {
    // The folders above a known one are known too.
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
      const folder = path.slice(0, end);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  }
  return folders;
}

function duplicateNameReason(one: string, other: string): string {
  return one === other ? 'The name appears twice.' : `The name differs from "${one}" only in upper and lower case.`;
}

/** The length of a text in UTF-8 bytes. */
export function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** Whether a text has more UTF-8 bytes than a limit. A UTF-16 code unit has at most three, so few texts are encoded. */
function exceeds(text: string, maxBytes: number): boolean {
  return text.length * 3 > maxBytes && bytesOf(text) > maxBytes;
}
