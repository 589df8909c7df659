import type { AppType } from './app';

/** A segment that is `__MACOSX`, or that starts with a dot and is not `.well-known`. */
const IGNORED_SEGMENT = /(?:^|\/)(?:__MACOSX(?:\/|$)|\.(?!well-known(?:\/|$)))/;
/** Hidden folders that frameworks write into the builds of their servers. */
const SERVER_FOLDERS: readonly string[] = ['.next', '.amplify-hosting'];
/** Folders of tools inside of `node_modules`, which no server needs. The first has symbolic links. */
const TOOL_FOLDERS: readonly string[] = ['.bin', '.cache'];

/**
 * Whether a path belongs to system or tool files, such as `__MACOSX` or `.git`, which are not published.
 * @param type SSR apps keep the hidden folders that belong to the builds of servers.
 */
export function isIgnoredPath(path: string, type: AppType = 'static'): boolean {
  // Lists of 20,000 paths are checked, so only a path with such a segment is divided.
  if (!IGNORED_SEGMENT.test(path)) return false;
  if (type === 'static') return true;
  const segments = path.split('/');
  if (segments.includes('__MACOSX')) return true;
  const modules = segments.indexOf('node_modules');
  return segments.some((segment, index) => {
    if (!segment.startsWith('.') || segment === '.well-known') return false;
    // Packages keep generated files in hidden folders.
    const isInModules = modules >= 0 && index > modules;
    return isInModules ? TOOL_FOLDERS.includes(segment) : !SERVER_FOLDERS.includes(segment);
  });
}
