import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { sandboxContract } from '../../testing/sandbox.contract';
import { BareSandbox } from './bare-sandbox';

let runDirectory = '';
beforeAll(async () => void (runDirectory = await mkdtemp(join(tmpdir(), 'homeport-bare-'))));
afterAll(() => rm(runDirectory, { recursive: true }));

const sandbox = () => new BareSandbox({ runDirectory, node: process.execPath });

sandboxContract('BareSandbox', sandbox);

it('says that it isolates nothing', async () => {
  await expect(sandbox().examine()).rejects.toThrow('isolates nothing');
});
