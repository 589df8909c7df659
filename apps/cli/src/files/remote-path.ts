import { CliError } from '../cli.errors';

/** Backslashes separate folders on Windows. */
const FORBIDDEN = /[\\\p{Cc}]/u;

/**
 * Returns the path of a file below a folder of the workspace. The API stores no path that leaves a folder, but a hostile
 * server may name one, to write outside of the synchronized folder.
 * @param prefix of the folder: empty, or with a slash at the end.
 * @throws {CliError} for a key that is not below the folder.
 */
export function pathBelow(prefix: string, key: string): string {
  const path = key.slice(prefix.length);
  if (key.startsWith(prefix) && path.split('/').every(isName)) return path;
  const message = `The server names a file that is not in the folder: "${key}".`;
  throw new CliError(message, 'failed', 'Check the address of the server. Nothing was changed.');
}

function isName(segment: string): boolean {
  return !['', '.', '..'].includes(segment) && !FORBIDDEN.test(segment);
}
