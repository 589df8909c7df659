import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const ROOT = resolve(import.meta.dirname, '../../..');

/** A page of the documentation whose blocks of code a test uses. */
export class GuidePage {
  readonly #text: string;

  /** @param path such as `docs/backup.md`. */
  constructor(private readonly path: string) {
    this.#text = readFileSync(join(ROOT, path), 'utf8');
  }

  /** Returns the block of a language that contains the text, such as the path in its first line. */
  blockOf(language: string, text: string): string {
    const fenced = new RegExp(`^( *)\`\`\`${language}\n([^]*?)^\\1\`\`\`$`, 'gm');
    const blocks = [...this.#text.matchAll(fenced)].map(([, indent = '', block = '']) =>
      block.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    );
    const found = blocks.filter((block) => block.includes(text));
    if (found.length !== 1) throw new Error(`${this.path} has ${found.length} blocks of ${language} with ${text}`);
    return found[0] as string;
  }

  /** Replaces each text; throws when the guide does not contain it. */
  replaced(text: string, replacements: Readonly<Record<string, string>>): string {
    return Object.entries(replacements).reduce((result, [from, to]) => {
      if (!result.includes(from)) throw new Error(`${this.path} does not contain ${from}`);
      return result.replaceAll(from, () => to);
    }, text);
  }
}
