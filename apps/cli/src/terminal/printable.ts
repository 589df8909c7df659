import { stripVTControlCharacters } from 'node:util';

/** @returns text of an app or a server without the characters that control terminals. */
export function printable(text: string): string {
  return stripVTControlCharacters(text).replace(/(?!\t)\p{Cc}/gu, '\ufffd');
}
