/** A failure whose message tells the reader how to fix it; printed without a stack. */
export class SetupFailed extends Error {
  override name = 'SetupFailed';
}

export function messageOf(error: unknown): string {
  if (error instanceof SetupFailed) return error.message;
  if (hasCode(error, 'ENOSPC')) return `The disk is full. Free some space and try again. (${error.message})`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Checks the shape, not the class: under Jest, Node's own errors come from another realm. */
export function hasCode(error: unknown, ...codes: string[]): error is NodeJS.ErrnoException {
  return typeof error === 'object' && error !== null && 'code' in error && codes.includes(String(error.code));
}
