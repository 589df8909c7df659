/** Whether Node names `error` so, e.g. `ENOENT`. Errors of another realm count: test runners bring their own. */
export function hasCode(error: unknown, code: string): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === code;
}
