// Shortens the starts of product processes: a test run starts dozens, and most of a start is compiling libraries.
import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { LOW_MEMORY_NODE_ARGS } from '../dev-services/homeport.ts';

const BUILT = resolve(import.meta.dirname, '../../dist/api/apps');
/** Modules that load a whole program. Importing them starts nothing. */
const PROGRAMS = ['api/src/serve.js', 'edge/src/start.js'].map((path) => pathToFileURL(join(BUILT, path)).href);

/**
 * Compiles the product and its libraries into the folder NODE_COMPILE_CACHE of an environment. V8 uses the cached code
 * only in processes with the same V8 options, so these are the options of the product.
 */
export async function fillCompileCache(env) {
  const script = `for (const program of ${JSON.stringify(PROGRAMS)}) await import(program);\nprocess.exit();`;
  const args = [...LOW_MEMORY_NODE_ARGS, '--input-type=module', '--eval', script];
  await promisify(execFile)(process.execPath, args, { env });
}
