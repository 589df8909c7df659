/** An optional first segment of keys that is never displayed. */
export const WORKSPACE = 'workspace/';

/** The path to display for a key: without a leading workspace segment. */
export function displayPath(key: string): string {
  return key.startsWith(WORKSPACE) ? key.slice(WORKSPACE.length) : key;
}

/** The directory of a URL path: `/files/workspace/threads` is `threads`, `/files/workspace` is the root. */
export function displayDirectory(path: string): string {
  return path === 'workspace' ? '' : displayPath(path);
}

/** The parent directory of a display path; the empty path is the root. */
export function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/**
 * The key prefixes of a display path: without and with the workspace segment. A display path that begins with the
 * segment has only the second one.
 */
export function keyPrefixes(directory: string): readonly string[] {
  const prefix = directory === '' ? '' : `${directory}/`;
  return prefix.startsWith(WORKSPACE) ? [WORKSPACE + prefix] : [prefix, WORKSPACE + prefix];
}

/** The path of an entry of a directory; the empty path is the root. */
export function joinPath(directory: string, name: string): string {
  return directory === '' ? name : `${directory}/${name}`;
}

/** Longer extensions are truncated with the name. */
const EXTENSION = /(?<=.)\.[^.\s]{1,8}$/u;

/** Splits a file name before its extension, which stays visible when the name is truncated. */
export function splitExtension(name: string): { readonly stem: string; readonly extension: string } {
  const extension = EXTENSION.exec(name)?.[0] ?? '';
  return { stem: name.slice(0, name.length - extension.length), extension };
}
