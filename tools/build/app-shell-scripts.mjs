import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

/** Grammars of about a hundred languages, each loaded with the first file in that language. */
const MODES = 'node_modules/@codemirror/legacy-modes/mode';
/**
 * Scripts loaded on first use and cached from then on, by the bundler's chunk names: grammars, the PDF viewer, German,
 * and pages that show nothing without a connection.
 */
const ON_DEMAND = ['dist', 'pdf-view', 'de', 'logs-page', 'environment-page', 'usage-page', 'estimate-of-usage'];

/** Finds the scripts of every page that must open offline: those that the main script imports. @returns file names. */
export async function appShellScripts(folder) {
  const modes = (await readdir(MODES)).map((file) => basename(file, '.js'));
  const onDemand = new Set([...ON_DEMAND, ...modes]);
  const names = await readdir(folder);
  const found = new Set(names.filter((name) => /^(main|polyfills)-[\w-]{8}\.js$/.test(name)));
  // A set iterates in insertion order and includes entries added during the iteration.
  for (const name of found) {
    for (const next of importsIn(await readFile(join(folder, name), 'utf8'))) {
      if (!onDemand.has(next.replace(/-[\w-]{8}\.js$/, ''))) found.add(next);
    }
  }
  return [...found].sort();
}

function importsIn(script) {
  return Array.from(script.matchAll(/(?:from|import)\(?["'`]\.\/([\w-]+\.js)["'`]/g), ([, name]) => name);
}
