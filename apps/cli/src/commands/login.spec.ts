import { tmpdir } from 'node:os';
import { expect, it } from '@jest/globals';
import { runCommand } from '../testing/run-command';

it('says that a pipeline needs the id of its app, and how to find it', async () => {
  const args = ['login', '--pipeline', '--app', 'my-shop'];
  const { code, stderr } = await runCommand(args, tmpdir(), { HOMEPORT_ID_TOKEN: 'token' });
  expect([code, stderr]).toEqual([2, expect.stringContaining('"homeport apps show my-shop"')]);
});
