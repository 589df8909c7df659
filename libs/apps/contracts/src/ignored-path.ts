/** Whether a path belongs to system or tool files, such as `__MACOSX` or `.git`, which are not published. */
export function isIgnoredPath(path: string): boolean {
  return path
    .split('/')
    .some((segment) => segment === '__MACOSX' || (segment.startsWith('.') && segment !== '.well-known'));
}
