// Bundles the published packages into dist/packages: @homeport/api-client for Node.js and browsers, and @homeport/cli.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';

const root = resolve(import.meta.dirname, '../..');
const target = join(root, 'dist/packages');
const COMMON = { bundle: true, format: 'esm', sourcemap: true, logLevel: 'warning' };

const manifestOf = (folder) => JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));

function prepare(name, folder) {
  rmSync(join(target, name), { recursive: true, force: true });
  mkdirSync(join(target, name), { recursive: true });
  for (const file of ['package.json', 'README.md']) copyFileSync(join(root, folder, file), join(target, name, file));
  copyFileSync(join(root, 'LICENSE'), join(target, name, 'LICENSE'));
}

async function bundleApiClient() {
  const folder = 'libs/api-client';
  prepare('api-client', folder);
  const outfile = join(target, 'api-client/index.js');
  const { metafile } = await build({
    ...COMMON,
    platform: 'neutral',
    target: 'es2022',
    metafile: true,
    entryPoints: [join(root, folder, 'src/index.ts')],
    outfile,
  });
  writeLicenses('api-client', metafile);
  const types = join(target, 'api-client/types');
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const emit = ['--noEmit', 'false', '--declaration', '--emitDeclarationOnly', '--allowImportingTsExtensions', 'false'];
  execFileSync(process.execPath, [tsc, '-p', join(root, folder, 'tsconfig.build.json'), ...emit, '--outDir', types]);
  addExtensions(types);
}

/** Node resolves no folder and no extension in a module, TypeScript neither; the sources leave both out. */
function addExtensions(folder) {
  const files = new Set(globSync('**/*.d.ts', { cwd: folder }));
  for (const file of files) {
    const isFolder = (path) => files.has(join(file, '..', path, 'index.d.ts'));
    const text = readFileSync(join(folder, file), 'utf8');
    const complete = (_, before, path, after) => `${before}${path}${isFolder(path) ? '/index' : ''}.js${after}`;
    writeFileSync(join(folder, file), text.replace(/(from '|import\(')(\.[^']*)(')/g, complete));
  }
}

/** The command line contains its packages, so that a tarball is installed without a registry. */
async function bundleCli() {
  const folder = 'apps/cli';
  prepare('cli', folder);
  const outfile = join(target, 'cli/main.js');
  const { metafile } = await build({
    ...COMMON,
    platform: 'node',
    target: 'node20.19',
    // Pipelines download the package, or keep it in their repository.
    sourcemap: false,
    metafile: true,
    entryPoints: [join(root, folder, 'src/main.ts')],
    outfile,
  });
  chmodSync(outfile, 0o755);
  copyFileSync(join(root, folder, 'homeport.schema.json'), join(target, 'cli/homeport.schema.json'));
  writeLicenses('cli', metafile);
}

/** Writes the licenses of the packages that a bundle contains: they require to be passed on with it. */
function writeLicenses(name, { inputs }) {
  const folders = Object.keys(inputs).flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []);
  writeFileSync(join(target, name, 'THIRD-PARTY-LICENSES.txt'), licensesOf(new Set(folders)));
}

function licensesOf(packages) {
  return [...packages]
    .toSorted()
    .map((path) => {
      const { name, version, license } = manifestOf(path);
      const file = readdirSync(join(root, path)).find((each) => /^licen[sc]e/i.test(each));
      const text = file === undefined ? `License: ${license}` : readFileSync(join(root, path, file), 'utf8').trim();
      return `${name} ${version}\n\n${text}\n`;
    })
    .join(`\n${'-'.repeat(80)}\n\n`);
}

await Promise.all([bundleApiClient(), bundleCli()]);
console.log('Bundled api-client and cli into dist/packages.');
