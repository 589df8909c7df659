import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe } from '@jest/globals';
import { bubblewrapHere } from '../../../testing/bubblewrap-here';
import { runtimeContract } from '../../../testing/runtime/runtime.contract';
import { BareSandbox } from '../../sandbox/bare-sandbox';
import { BubblewrapSandbox } from '../../sandbox/bubblewrap-sandbox';

let runDirectory: string;
beforeAll(async () => {
  runDirectory = await mkdtemp(join(tmpdir(), 'hp-run-'));
  await chmod(runDirectory, 0o711);
});
afterAll(() => rm(runDirectory, { recursive: true, force: true }));

runtimeContract('BareSandbox', () => new BareSandbox({ runDirectory, node: process.execPath }));

const withBubblewrap = (await bubblewrapHere()) ? describe : describe.skip;

withBubblewrap('where bubblewrap is installed', () => {
  let sandbox: BubblewrapSandbox;
  beforeAll(async () => void (sandbox = await BubblewrapSandbox.open({ runDirectory, node: process.execPath })));

  runtimeContract('BubblewrapSandbox', () => sandbox);
});
