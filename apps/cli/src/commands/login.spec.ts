import { tmpdir } from 'node:os';
import { expect, it } from '@jest/globals';
import { runWithoutServer } from '../testing/run-without-server';

it('says that a pipeline needs the id of its app, and how to find it', async () => {
  const args = ['login', '--pipeline', '--app', 'my-shop'];
  const { code, stderr } = await runWithoutServer(args, tmpdir(), { HOMEPORT_ID_TOKEN: 'token' });
  expect([code, stderr]).toEqual([2, expect.stringContaining('"homeport apps show my-shop"')]);
});
