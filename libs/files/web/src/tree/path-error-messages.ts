import type { FilePathFault } from '@homeport/files/contracts';
import { parseTypedPath } from './rename-plan';

/** Invisible names: only white space, default-ignorable code points, and the blank Braille pattern (U+2800). */
const INVISIBLE_NAME = /^[\p{White_Space}\p{Default_Ignorable_Code_Point}\u2800]*$/u;

/** The translated message for an invalid path. */
export function pathErrorMessage(fault: FilePathFault): string {
  const words: Readonly<Record<FilePathFault, string>> = {
    'The path is empty.': $localize`The path is empty.`,
    'The path has an empty segment.': $localize`The path has an empty segment.`,
    'The path has a "." or ".." segment.': $localize`The path has a "." or ".." segment.`,
    'The path has a backslash.': $localize`The path has a backslash.`,
    'The path has a control character.': $localize`The path has a control character.`,
    'The path has a "%" that is not a valid UTF-8 escape.': $localize`The path has a "%" that is not a valid UTF-8 escape.`,
    'The path has an encoded slash.': $localize`The path has an encoded slash.`,
    'The path is longer than 1,024 bytes.': $localize`The path is longer than 1,024 bytes.`,
    'A segment of the path is longer than 255 bytes.': $localize`A segment of the path is longer than 255 bytes.`,
  };
  return words[fault];
}

/** Why a path typed by the user is invalid in a directory; undefined when it is valid. */
export function typedPathError(directory: string, written: string): string | undefined {
  const parsed = parseTypedPath(directory, written);
  if ('fault' in parsed) return pathErrorMessage(parsed.fault);
  return written.split('/').some((name) => INVISIBLE_NAME.test(name))
    ? $localize`A name needs at least one visible character.`
    : undefined;
}
