/** A segment that is `__MACOSX`, or that starts with a dot and is not `.well-known`. */
const IGNORED_SEGMENT = /(?:^|\/)(?:__MACOSX(?:\/|$)|\.(?!well-known(?:\/|$)))/;

/** Whether a path belongs to system or tool files, such as `__MACOSX` or `.git`, which are not published. */
export function isIgnoredPath(path: string): boolean {
  return IGNORED_SEGMENT.test(path);
}
