import { tmpdir } from 'node:os';
import { describe, expect, it } from '@jest/globals';
import { startFailureOf } from '@homeport/platform/server/process';
import { assertNodeIsProgram, assertNodeVersion } from './guest-node';

async function failureOf(work: () => Promise<void> | void): Promise<unknown> {
  try {
    await work();
  } catch (error) {
    return error;
  }
  return undefined;
}

describe('assertNodeIsProgram', () => {
  it('accepts the Node.js of this process', async () => {
    expect(await failureOf(() => assertNodeIsProgram(process.execPath))).toBeUndefined();
  });

  it.each([
    ['/nowhere/node', 'ENOENT'],
    ['/dev/null', 'EACCES'],
    [tmpdir(), 'it is a folder'],
  ])('refuses %s, so that the start names the setting', async (node, why) => {
    const error = await failureOf(() => assertNodeIsProgram(node));
    expect(error).toMatchObject({ message: expect.stringContaining(`${node} is not a program (${why}).`) });
    const { settings, err } = startFailureOf(error, { RUNTIME_DIR: '/var/lib/homeport', RUNTIME_NODE: node });
    expect(settings).toEqual(['RUNTIME_NODE']);
    expect(err).not.toHaveProperty('stack');
  });
});

describe('assertNodeVersion', () => {
  it.each(['v24.14.0', 'v24.15.1', 'v26.0.0'])('accepts %s', async (version) => {
    expect(await failureOf(() => assertNodeVersion(version, '/usr/bin/node'))).toBeUndefined();
  });

  it.each(['v24.13.9', 'v22.99.0', 'nonsense'])('refuses %s', async (version) => {
    const error = await failureOf(() => assertNodeVersion(version, '/usr/bin/node'));
    expect(error).toMatchObject({ path: '/usr/bin/node', remedy: expect.stringContaining('RUNTIME_NODE') });
  });
});
