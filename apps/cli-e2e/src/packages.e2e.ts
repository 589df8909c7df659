import { execFile } from 'node:child_process';
import { copyFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { accessTokenOf } from '@homeport/dev-services';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EXPECTED } from '@homeport/api-client/testing/transfer-scenario.mjs';
import { isFull, Machine, url } from './command-line';
import { installNode20, installTarball, pack } from './npm-packages';

const run = promisify(execFile);
const SCENARIO = join(import.meta.dirname, '../../../libs/api-client/src/testing/transfer-scenario.mjs');

let machine: Machine;
let token: string;
/** Folders of the installed packages. */
let cli: string;
let apiClient: string;

beforeAll(async () => {
  machine = await Machine.create();
  token = await accessTokenOf(url, 'ada');
  cli = await installTarball(await pack('cli', machine.root), machine.path('cli'));
  apiClient = await installTarball(await pack('api-client', machine.root), machine.path('client'));
});

afterAll(() => machine.remove());

/** Node.js of this run; in the full suite, also the oldest version that the packages support. */
const VERSIONS = isFull ? ['current', '20.19'] : ['current'];

async function nodeOf(version: string): Promise<string> {
  return version === 'current' ? process.execPath : installNode20(machine.path('node20'));
}

describe.each(VERSIONS)('the packed packages on Node.js %s', (version) => {
  let node: string;

  beforeAll(async () => {
    node = await nodeOf(version);
  });

  it('install the command line from its tarball, without a registry', async () => {
    const command = (...args: string[]) => run(node, [join(cli, 'main.js'), ...args], { env: machine.variables });
    const { version: packed } = JSON.parse(await readFile(join(cli, 'package.json'), 'utf8')) as { version: string };
    expect((await command('--version')).stdout).toBe(`${packed}\n`);
    expect((await command('pricing')).stdout).toContain('storage');
    expect((await command('deploy', '--help')).stdout).toContain('--preview');
    await expect(command('apps', 'list')).rejects.toMatchObject({ code: 3 });
    expect(await readFile(join(cli, 'README.md'), 'utf8')).toMatch(/^# @homeport\/cli\n/);
    expect(await readFile(join(cli, 'THIRD-PARTY-LICENSES.txt'), 'utf8')).toMatch(/^yargs \d.*\n\nMIT License\n/m);
  });

  it('transfer files by the client library', async () => {
    await copyFile(SCENARIO, join(apiClient, '../../../scenario.mjs'));
    const script = `
      import * as api from '@homeport/api-client';
      import { transferFiles } from './scenario.mjs';
      console.log(JSON.stringify(await transferFiles(api, JSON.parse(process.argv[1]))));`;
    const target = JSON.stringify({ baseUrl: url, token, folder: `client-${process.pid}-${version}` });
    const { stdout } = await run(node, ['--input-type=module', '--eval', script, target], {
      cwd: join(apiClient, '../../..'),
    });
    expect(JSON.parse(stdout)).toEqual(EXPECTED);
  });
});
