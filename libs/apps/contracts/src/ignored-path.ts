/** Whether a path of a site is what systems and tools leave behind, and is not published. */
export function isIgnoredPath(path: string): boolean {
  return path
    .split('/')
    .some((segment) => segment === '__MACOSX' || (segment.startsWith('.') && segment !== '.well-known'));
}
