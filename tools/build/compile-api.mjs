// Compiles the API, the edge, the runtime and the server side of every domain
// into dist/api, file by file. `--watch` recompiles on changes.
import { cpSync, globSync, mkdirSync, rmSync, watch, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { transformFile } from '@swc/core';
import manifest from '../../package.json' with { type: 'json' };
import { swcOptions } from './swc-options.mjs';

const root = resolve(import.meta.dirname, '../..');
const target = join(root, 'dist/api');
const SOURCES = ['apps/{api,edge,runtime}/src', 'libs/kernel/src', 'libs/*/contracts/src', 'libs/*/server/src'];
/** The required Node.js version, written into dist/api, which also runs without the workspace. */
const ENGINES = manifest.engines;
/** Copied as they are: the catalog, and the code that runs inside the sandboxes of apps. */
const COPIED = ['libs/pricing/catalog', 'libs/hosting/server/src/runtime/guest'];
const NOT_SHIPPED = /\.(spec|contract)\.ts$|\/testing\//;

async function compile(file) {
  const { code, map } = await transformFile(join(root, file), { ...swcOptions, sourceMaps: true });
  const out = join(target, file.replace(/\.ts$/, '.js'));
  mkdirSync(dirname(out), { recursive: true });
  writeFileSync(`${out}.map`, map);
  writeFileSync(out, `${code}\n//# sourceMappingURL=${out.split('/').at(-1)}.map\n`);
}

function copy(folder) {
  cpSync(join(root, folder), join(target, folder), { recursive: true });
}

const isShipped = (file) => file.endsWith('.ts') && !NOT_SHIPPED.test(file);

async function compileAll() {
  rmSync(target, { recursive: true, force: true });
  const files = SOURCES.flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: root })).filter(isShipped);
  await Promise.all(files.map(compile));
  COPIED.forEach(copy);
  writeFileSync(join(target, 'package.json'), JSON.stringify({ type: 'module', engines: ENGINES }) + '\n');
  console.log(`Compiled ${files.length} files into dist/api.`);
}

function compileOnChange() {
  for (const folder of SOURCES.flatMap((pattern) => globSync(pattern, { cwd: root }))) {
    watch(join(root, folder), { recursive: true }, (_event, name) => {
      const file = name && join(folder, name);
      if (file && isShipped(file)) compile(file).catch((error) => console.error(error.message));
    });
  }
  for (const folder of COPIED) watch(join(root, folder), { recursive: true }, () => copy(folder));
}

await compileAll();
if (process.argv.includes('--watch')) compileOnChange();
