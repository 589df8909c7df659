import { stripVTControlCharacters } from 'node:util';

/** Characters that control terminals, and those that show text in another order than it has. */
const CONTROLS = /[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/gu;

/** @returns text of an app, a file or a server without the characters that change how it is shown; lines and tabs stay. */
export function printable(text: string): string {
  return stripVTControlCharacters(text).replace(CONTROLS, '\ufffd');
}

/** @returns JSON with the same value, in which the characters that control terminals are escaped. */
export function printableJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(/[\u007f-\u009f]/g, escapeCharacter);
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
