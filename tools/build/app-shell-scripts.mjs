import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

/** The grammars of a hundred languages, each loaded with the first file in it. */
const MODES = 'node_modules/@codemirror/legacy-modes/mode';
/** What is loaded when somebody needs it, and kept from then on; by the names the bundler gives to modules. */
const ON_DEMAND = ['dist', 'pdf-view'];

/** The scripts of every page that must open without a connection: what the main script reaches. @returns file names. */
export async function appShellScripts(folder) {
  const modes = (await readdir(MODES)).map((file) => basename(file, '.js'));
  const onDemand = new Set([...ON_DEMAND, ...modes]);
  const names = await readdir(folder);
  const found = new Set(names.filter((name) => /^(main|polyfills)-[\w-]{8}\.js$/.test(name)));
  // A set is walked in the order of insertion, also over what is inserted meanwhile.
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
