import type { FilePathFault } from '@homeport/files/contracts';
import { parseTypedPath } from './rename-plan';

/** Names nobody could see: of white space, of what has no form of its own, and of the blank that counts as a sign. */
const UNSEEN = /^[\p{White_Space}\p{Default_Ignorable_Code_Point}\u2800]*$/u;

/** Why a path is refused, in the language of the page. */
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

/** Why somebody cannot have a path they have written for a directory; undefined when they can. */
export function typedPathError(directory: string, written: string): string | undefined {
  const parsed = parseTypedPath(directory, written);
  if ('fault' in parsed) return pathErrorMessage(parsed.fault);
  return written.split('/').some((name) => UNSEEN.test(name))
    ? $localize`A name needs something that can be seen.`
    : undefined;
}
