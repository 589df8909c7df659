import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type Messages, root } from './messages.ts';

const FOLDER = 'apps/client/src/locale';

/** Translations by their English source. */
export type Catalogue = Readonly<Record<string, string>>;

export interface Difference {
  /** What the source says and the catalogue has no words for. */
  readonly missing: readonly string[];
  /** What the catalogue has words for and nothing says any more. */
  readonly stale: readonly string[];
  /** Translations whose placeholders are not those of their source. */
  readonly placeholderMismatches: readonly string[];
}

/** Every language that has a catalogue. */
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

/** What the server says, by code and by text. */
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

/** Lines for a catalogue, to be translated where they are pasted. */
export function pasteable(missing: readonly string[]): string {
  return missing.map((key) => `  ${JSON.stringify(key)}: "",`).join('\n');
}

/** A source may use a placeholder once or often, as its grammar needs; a translation too. */
function placeholdersOf(text: string): string {
  return [...new Set(text.match(/\{\$\w+\}|\{(?:VAR_\w+|INTERPOLATION\w*)/g))].sort().join(' ');
}
