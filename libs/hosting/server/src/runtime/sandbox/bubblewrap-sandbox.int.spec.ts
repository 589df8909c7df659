import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bubblewrapHere } from '../../testing/bubblewrap-here';
import { sandboxContract } from '../../testing/sandbox.contract';
import { BubblewrapSandbox } from './bubblewrap-sandbox';

let runDirectory = '';
beforeAll(async () => {
  runDirectory = await mkdtemp(join(tmpdir(), 'homeport-bwrap-'));
  await chmod(runDirectory, 0o711);
});
afterAll(() => rm(runDirectory, { recursive: true }));

const suite = (await bubblewrapHere()) ? describe : describe.skip;

suite('with control groups', () => {
  let sandbox: BubblewrapSandbox;
  beforeAll(async () => void (sandbox = await BubblewrapSandbox.open({ runDirectory, node: process.execPath })));
  sandboxContract('BubblewrapSandbox', () => sandbox);

  it('leaves nothing in its folder', async () => {
    expect(await readdir(runDirectory)).toEqual([]);
  });
});

suite('without control groups', () => {
  let sandbox: BubblewrapSandbox;
  beforeAll(async () => {
    sandbox = await BubblewrapSandbox.open({ runDirectory, node: process.execPath, groups: undefined });
  });
  sandboxContract('BubblewrapSandbox with resource limits', () => sandbox);
});
