import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { LOW_MEMORY_NODE_ARGS } from '@homeport/dev-services';
import { describe, expect, it } from '@jest/globals';
import { settings } from './homeport';

const DIST = resolve(import.meta.dirname, '../../../dist/api/apps');
const COMMANDS = [
  ['api/src/main.js'],
  ['api/src/main.js', 'doctor'],
  ['api/src/main.js', 'reseal'],
  ['api/src/main.js', 'charges'],
  ['api/src/verify/main.js'],
  ['api/src/publish/main.js'],
  ['api/src/openapi/main.js'],
  ['edge/src/main.js'],
  ['runtime/src/main.js'],
  ['runtime/src/main.js', 'doctor'],
];

const { NODE_COMPILE_CACHE } = settings;

/** Runs a command without any setting of Homeport: it cannot do more than explain itself. */
async function run([program = '', ...args]: readonly string[]) {
  return new Promise<{ code: unknown; output: string; errors: string }>((done) => {
    const line = [...LOW_MEMORY_NODE_ARGS, resolve(DIST, program), ...args];
    execFile(process.execPath, line, { env: { NODE_COMPILE_CACHE } }, (error, output, errors) => {
      done({ code: error === null ? 0 : error.code, output, errors });
    });
  });
}

describe.each(COMMANDS)('the command %s %s', (...command) => {
  const words = command.filter((word) => word !== undefined);

  it('prints its usage for --help and exits with 0', async () => {
    const { code, output, errors } = await run([...words, '--help']);
    expect([code, errors]).toEqual([0, '']);
    expect(output).toMatch(new RegExp(`^Usage: .*${words.join(' ')}`, 's'));
  });

  it('prints its usage for an unknown argument and exits with 2', async () => {
    const { code, output, errors } = await run([...words, '--what']);
    expect([code, output]).toEqual([2, '']);
    expect(errors).toMatch(/^((Unknown option '--what'|The command '--what' is unknown)\.\n\n)?Usage: /);
  });
});

it.each([
  [['api/src/main.js'], 1],
  [['api/src/main.js', 'reseal'], 1],
  [['api/src/main.js', 'charges', 'check'], 2],
  [['api/src/verify/main.js'], 2],
  [['edge/src/main.js'], 1],
  [['runtime/src/main.js'], 1],
])('the command %j names each missing variable on a separate line, without a stack', async (words, code) => {
  const found = await run(words);
  expect([found.code, found.output]).toEqual([code, '']);
  expect(found.errors).toMatch(/^([A-Z][a-z ]+: )?The configuration is invalid:\n( {2}- [A-Z0-9_]+ is missing\n)+$/);
});
