// Completes the bundler's output: the loading order of the page, the service worker's file list, and the compressed
// files that the API serves.
import { execFile } from 'node:child_process';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { transform } from 'esbuild';
import { appShellScripts } from './app-shell-scripts.mjs';

const FOLDER = 'dist/client/browser';
const WORKER_TOOL = 'node_modules/@angular/service-worker/ngsw-config.js';
const WORKER_CONFIG = 'apps/client/ngsw-config.json';
const TEXT = ['.css', '.html', '.js', '.json', '.mjs', '.svg', '.txt', '.webmanifest'];
/** Below this size, in bytes, the headers cost more than the compression saves. */
const SMALLEST = 1_024;
/** Above this size, in bytes, maximum brotli quality takes seconds for a few percent. */
const LARGE = 1_000_000;

for (const path of await filesWith(['.br', '.gz'])) await rm(path);
await inlineStyles(join(FOLDER, 'index.html'));
await minify(join(FOLDER, 'first-paint.js'));
await writeServiceWorkerManifest();
for (const path of await filesWith(TEXT)) await compress(path);

/**
 * Writes the manifest: files that every page needs come from the
 * configuration, scripts from the imports of the main script.
 */
async function writeServiceWorkerManifest() {
  const config = JSON.parse(await readFile(WORKER_CONFIG, 'utf8'));
  const { resources } = config.assetGroups.find(({ name }) => name === 'shell');
  resources.files.push(...(await appShellScripts(FOLDER)).map((name) => `/${name}`));
  await writeFile(join(FOLDER, '../ngsw-config.json'), JSON.stringify(config));
  await promisify(execFile)(process.execPath, [WORKER_TOOL, FOLDER, join(FOLDER, '../ngsw-config.json'), '/']);
}

/** The bundler copies this script as it is, and every page waits for it. */
async function minify(path) {
  const { code } = await transform(await readFile(path, 'utf8'), { minify: true });
  await writeFile(path, code);
}

async function filesWith(extensions) {
  const entries = await readdir(FOLDER, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && extensions.includes(extname(entry.name)));
  return files.map(({ parentPath, name }) => join(parentPath, name));
}

/**
 * Inlines the styles, which the first paint needs, and moves the scripts into a template; `first-paint.js` loads them
 * after the first paint.
 */
async function inlineStyles(page) {
  const html = await readFile(page, 'utf8');
  // The output came from the build cache and is already processed.
  if (html.includes('<template id="scripts">')) return;
  const [link, name] = /<link rel="stylesheet" href="([^"]+)">/.exec(html) ?? [];
  const [scripts] = /(<link rel="modulepreload"[^>]*>|<script [^>]*type="module"><\/script>)+/.exec(html) ?? [];
  if (!link || !scripts?.includes('"/main-'))
    throw new Error(`${page} does not have the expected format of the bundler`);
  const styles = await readFile(join(FOLDER, name), 'utf8');
  await rm(join(FOLDER, name));
  const shaped = html
    .replace(link, () => `<style>${styles}</style>`)
    .replace(scripts, () => `<template id="scripts">${scripts}</template>`);
  await writeFile(page, shaped);
}

async function compress(path) {
  const bytes = await readFile(path);
  if (bytes.length < SMALLEST) return;
  const quality = bytes.length > LARGE ? 9 : constants.BROTLI_MAX_QUALITY;
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: quality,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  await writeFile(`${path}.br`, await promisify(brotliCompress)(bytes, { params }));
  await writeFile(`${path}.gz`, await promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION }));
}
