// Servers of one file, as a deploy contains them.
import { resolve } from 'node:path';
import { build } from 'esbuild';

const root = resolve(import.meta.dirname, '../../..');

const PLAIN = `import { createServer } from 'node:http';
createServer((_, response) => response.end('ready')).listen(Number(process.env.PORT), '127.0.0.1');`;
const EXPRESS_AND_REACT = `import express from 'express';
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
const items = Array.from({ length: 100 }, (_, at) => createElement('li', { key: at }, 'Item ', at));
express()
  .get('/', (_, response) => response.send(renderToString(createElement('ul', null, items))))
  .listen(Number(process.env.PORT), '127.0.0.1');`;

/** The file that a deploy of each app contains. */
export const SERVER_FILE = 'server.cjs';

/** @returns the bytes of the server of each sample app. */
export async function sampleApps() {
  const [plain, react] = await Promise.all([PLAIN, EXPRESS_AND_REACT].map(bundled));
  return { plain, react };
}

async function bundled(code) {
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: root },
    ...{ bundle: true, write: false, platform: 'node', format: 'cjs', minify: true },
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'error',
  });
  return Buffer.from(outputFiles[0].contents);
}
