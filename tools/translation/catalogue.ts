import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type Messages, root } from './messages.ts';

const FOLDER = 'apps/client/src/locale';

/** Translations by English source text. */
export type Catalogue = Readonly<Record<string, string>>;

export interface Difference {
  /** Texts of the source without a translation. */
  readonly missing: readonly string[];
  /** Translations whose text is no longer used. */
  readonly stale: readonly string[];
  /** Translations with other placeholders than their source. */
  readonly placeholderMismatches: readonly string[];
}

/** Returns every language with a catalogue. */
export function languages(): string[] {
  return globSync(`${FOLDER}/??.json`, { cwd: root }).map((file) => basename(file, '.json'));
}

export function catalogueOf(language: string): Catalogue {
  return JSON.parse(readFileSync(join(root, FOLDER, `${language}.json`), 'utf8')) as Catalogue;
}

export interface ServerMessages {
  readonly problems: Readonly<Record<string, unknown>>;
  readonly texts: Catalogue;
}

/** Returns the translations of server messages, by problem code and by text. */
export function serverMessagesOf(language: string): ServerMessages {
  return JSON.parse(readFileSync(join(root, FOLDER, `${language}.server.json`), 'utf8')) as ServerMessages;
}

export function difference(catalogue: Catalogue, messages: Messages): Difference {
  const keys = Object.keys(catalogue);
  return {
    missing: [...messages.keys()].filter((key) => !Object.hasOwn(catalogue, key)),
    stale: keys.filter((key) => !messages.has(key)),
    placeholderMismatches: keys.filter((key) => placeholdersOf(key) !== placeholdersOf(catalogue[key] ?? '')),
  };
}

/** Formats missing keys as catalogue lines, ready to paste and translate. */
export function pasteable(missing: readonly string[]): string {
  return missing.map((key) => `  ${JSON.stringify(key)}: "",`).join('\n');
}

/** Compares sets: source and translation may use a placeholder once or several times, as their grammar needs. */
function placeholdersOf(text: string): string {
  return [...new Set(text.match(/\{\$\w+\}|\{(?:VAR_\w+|INTERPOLATION\w*)/g))].sort().join(' ');
}
