import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ownMark } from '../dev-services/processes.mjs';
import { withLock } from './install-lock.mjs';
import { claimRun, findRun } from './run-lock.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'homeport-lock-'));
});

afterEach(() => rm(folder, { recursive: true }));

const gone = { pid: process.pid, birth: 'an earlier process with this number' };

describe('the lock of an installation', () => {
  it('is held during the work and gone afterwards, also when it fails', async () => {
    const path = join(folder, 'lock');
    await expect(
      withLock(
        path,
        async () => Promise.reject(new Error((await readdir(folder)).join())),
        () => undefined,
      ),
    ).rejects.toThrow('lock');
    expect(await readdir(folder)).toEqual([]);
  });

  it('is taken over from a process that is gone', async () => {
    const path = join(folder, 'lock');
    await writeFile(path, JSON.stringify(gone));
    expect(
      await withLock(
        path,
        async () => 'done',
        () => undefined,
      ),
    ).toBe('done');
    expect(await readdir(folder)).toEqual([]);
  });

  it('is waited for', async () => {
    const path = join(folder, 'lock');
    const order: string[] = [];
    let waiting = (): void => undefined;
    const isWaiting = new Promise<void>((resolve) => (waiting = resolve));
    const first = withLock(
      path,
      () => isWaiting.then(() => void order.push('first')),
      () => undefined,
    );
    const second = withLock(
      path,
      async () => void order.push('second'),
      () => waiting(),
    );
    await Promise.all([first, second]);
    expect(order).toEqual(['first', 'second']);
  });
});

describe('the lock of a running product', () => {
  it('names the one that runs, and is given back', async () => {
    const release = await claimRun(folder, 'http://localhost:3000');
    expect(await findRun(folder)).toMatchObject({ ...ownMark(), url: 'http://localhost:3000' });
    await expect(claimRun(folder, 'http://localhost:3001')).rejects.toThrow(
      `already runs here (process ${process.pid}) at http://localhost:3000`,
    );
    await release();
    expect(await findRun(folder)).toBeUndefined();
  });

  it.each([JSON.stringify({ ...gone, url: 'x', startedAt: 'y' }), '{"pid":', ''])(
    'takes a left-over for none (%#)',
    async (content) => {
      await writeFile(join(folder, 'run.json'), content);
      expect(await findRun(folder)).toBeUndefined();
      await (
        await claimRun(folder, 'http://localhost:3000')
      )();
    },
  );
});
