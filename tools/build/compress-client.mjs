// Puts a brotli and a gzip copy beside every text file of the built client, which the API sends to those who take them.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const FOLDER = 'dist/client/browser';
const TEXT = new Set(['.css', '.html', '.js', '.json', '.mjs', '.svg', '.txt', '.webmanifest']);
/** Below it the headers cost more than the compression saves, bytes. */
const SMALLEST = 1_024;
/** Above it the best brotli takes seconds for a few percent, bytes. */
const LARGE = 1_000_000;

for (const entry of await readdir(FOLDER, { recursive: true, withFileTypes: true })) {
  if (entry.isFile() && TEXT.has(extname(entry.name))) await compress(join(entry.parentPath, entry.name));
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
