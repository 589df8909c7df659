import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const root = resolve(import.meta.dirname, '../..');

/** Constructions that docs/glossary.md and CONTRIBUTING.md replace with the field's words. Few, so that none is a false alarm. */
const BANNED_PHRASES: readonly RegExp[] = [
  /\b(?:who(?:so)?ever|whatever)\b/i,
  /(?<!["`])\b(?:nobody|somebody|anybody)\b/i,
  /\b(?:of|for) (?:its|their|his|her|one's) own\b/i,
  /\bis none\b/i,
  /\bfor ever\b/i,
  /\bat fault\b/i,
  /\bc[ao]mes? to nothing\b/i,
  /\bas wanted\b/i,
  /\b(?:is|are|was|were) (?:gone|away)\b/i,
  /\bready answers?\b/i,
  /\bit did not work\b/i,
  /\bwhat did not work\b/i,
  /\bcould not be found out\b/i,
  /\bmade a mistake\b/i,
  /\bdo(?:es)? no harm\b/i,
  /\bbroke off\b/i,
];

const BANNED_NAMES =
  /(?:^|-)(?:desk|keeper|keepers|sweep|sweeper|turnstile|upkeep|farewell|standing|wish|wishes|kept|pretended|unruly|dress|words|litter)(?:-|\.|$)/;

const isText = (file: string) =>
  /\.(?:ts|mjs|html|css|md|yml)$|\/locale\/de[\w.]*\.json$/.test(file) && !/plain-language\.spec\.ts$/.test(file);
/** A line of code that people read: a comment, a test title, a message, or a text of the client. */
const READ_BY_PEOPLE = /^\s*(?:\/\/|\/?\*)|\s\/\/\s|\$localize|\b(?:it|describe)(?:\.each)?\(|\bsuper\(|Error\(/;

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root })
  .toString()
  .trim()
  .split('\n');

function violationsIn(file: string, text: string): string[] {
  const isCode = /\.(?:ts|mjs)$/.test(file);
  return text.split('\n').flatMap((line, index) => {
    if (isCode && !READ_BY_PEOPLE.test(line)) return [];
    return BANNED_PHRASES.flatMap((phrase) => phrase.exec(line)?.[0] ?? []).map(
      (found) => `${file}:${index + 1} "${found}"`,
    );
  });
}

describe('the language of the repository', () => {
  const texts = files.filter((file) => isText(file) && existsSync(join(root, file)));

  it('has no banned construction in comments, docs and UI strings', () => {
    expect(texts.length).toBeGreaterThan(500);
    expect(texts.flatMap((file) => violationsIn(file, readFileSync(join(root, file), 'utf8')))).toEqual([]);
  });

  it('has no banned word in the name of a file', () => {
    expect(files.filter((file) => BANNED_NAMES.test(basename(file)))).toEqual([]);
  });

  it.each(['who gets Nobody', 'Whatever it is', 'a file of its own', 'it is gone', 'fields at fault'])(
    'reports "%s"',
    (text) => {
      expect(violationsIn('x.md', text)).toHaveLength(1);
    },
  );

  it.each(['The lease expires.', 'its own prefix', 'Owner of the app', 'a keeper'])('accepts "%s"', (text) => {
    expect(violationsIn('x.md', text)).toEqual([]);
  });
});
