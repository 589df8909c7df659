import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { acquireRunLock } from './run-lock.ts';

const run = promisify(execFile);
const TOKEN = join(import.meta.dirname, 'token.ts');
const { PUBLIC_URL } = JSON.parse(process.env['HOMEPORT_TEST_SERVICES'] ?? '{}') as { PUBLIC_URL: string };

let dataDir: string;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'homeport-token-'));
});
afterEach(() => rm(dataDir, { recursive: true }));

const token = (...args: string[]) =>
  run(process.execPath, [TOKEN, ...args], { env: { PATH: '/usr/bin:/bin', DATA_DIR: dataDir } });

describe('npm run token', () => {
  it('prints only an access token that the API accepts', async () => {
    const release = await acquireRunLock(dataDir, PUBLIC_URL);
    try {
      const { stdout } = await token('hank');
      expect(stdout).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+\n$/);
      const headers = { authorization: `Bearer ${stdout.trim()}` };
      expect((await fetch(`${PUBLIC_URL}/api/apps`, { headers })).status).toBe(200);
      const claims = JSON.parse(Buffer.from(stdout.split('.')[1] ?? '', 'base64url').toString()) as { sub: string };
      expect(claims.sub).toBe('globex|hank');
    } finally {
      await release();
    }
  });

  it('lists the people when the person does not exist', async () => {
    const release = await acquireRunLock(dataDir, PUBLIC_URL);
    try {
      await expect(token('zoe')).rejects.toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(/ada, ben/),
      });
    } finally {
      await release();
    }
  });

  it('reports that no Homeport runs on the data folder', async () => {
    await expect(token()).rejects.toMatchObject({ code: 1, stderr: expect.stringMatching(/npm start/) });
  });
});
