// Shortens the starts of product processes: a test run starts dozens, and most of a start is compiling libraries.
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { LOW_MEMORY_NODE_ARGS } from '../dev-services/homeport.ts';

const BUILT = resolve(import.meta.dirname, '../../dist/api/apps');
/** Modules that load a whole program. Importing them starts nothing. */
const PROGRAMS = ['api', 'edge'].map((app) => pathToFileURL(`${BUILT}/${app}/src/start.js`).href);

/**
 * Compiles the product and its libraries into a folder that Node.js processes with NODE_COMPILE_CACHE read.
 * V8 uses cached code only in processes with the same V8 options, so these are the options of the product.
 */
export async function fillCompileCache(folder) {
  const script = `${PROGRAMS.map((program) => `await import('${program}');`).join('\n')}\nprocess.exit();`;
  const args = [...LOW_MEMORY_NODE_ARGS, '--input-type=module', '--eval', script];
  await promisify(execFile)(process.execPath, args, { env: { NODE_COMPILE_CACHE: folder } });
}
