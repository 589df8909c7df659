import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { examineMachine } from './doctor';

describe('examineMachine', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'homeport-doctor-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  const examined = async (env: Readonly<Record<string, string>>) => {
    const lines: string[] = [];
    const isUsable = await examineMachine({ RUNTIME_DIR: folder, ...env }, (line) => lines.push(line));
    return { isUsable, text: lines.join('\n') };
  };

  it('says why no sandbox is usable, and leaves no files', async () => {
    const { isUsable, text } = await examined({ RUNTIME_NODE: '/nowhere/node', RUNTIME_SANDBOX: 'bubblewrap' });
    expect(isUsable).toBe(false);
    expect(text).toMatch(/^bubblewrap {2}not usable: \S/m);
    expect(text).toMatch(/^gvisor {6}not usable: \S/m);
    expect(text).toContain('/nowhere/node is not a program (ENOENT).');
    expect(text).toContain('Set RUNTIME_NODE to the path of Node.js.');
    expect(text).toContain('No usable sandbox: RUNTIME_SANDBOX is bubblewrap.');
    expect(await readdir(folder)).toEqual([]);
  });

  it('accepts the choice of a sandbox that isolates nothing', async () => {
    expect(await examined({ RUNTIME_NODE: '/nowhere/node', RUNTIME_SANDBOX: 'bare' })).toMatchObject({
      isUsable: true,
    });
  });
});
