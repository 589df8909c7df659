import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tryLock, unlock } from '../dev-services/lock-file.mjs';
import { currentProcessIdentity } from '../dev-services/processes.mjs';
import { withLock } from './install-lock.mjs';
import { acquireRunLock, findRun } from './run-lock.ts';

const LOCK_FILE = new URL('../dev-services/lock-file.mjs', import.meta.url).href;

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'homeport-lock-'));
});

afterEach(() => rm(folder, { recursive: true }));

const dead = { pid: process.pid, birth: 'an earlier process with this number' };

describe('lock file', () => {
  const contender = `
    const { tryLock } = await import(process.argv[2]);
    process.on('message', () => process.send(tryLock(process.argv[3]) === undefined));
    process.on('disconnect', () => process.exit());
    process.send('ready');`;

  async function startContender(path: string): Promise<ChildProcess> {
    const child = fork(join(folder, 'contender.mjs'), [LOCK_FILE, path], { execArgv: [] });
    await once(child, 'message');
    return child;
  }

  it('is acquired by one of several processes that find a stale lock at once', async () => {
    const path = join(folder, 'lock');
    await writeFile(join(folder, 'contender.mjs'), contender);
    const children = await Promise.all([1, 2, 3, 4].map(() => startContender(path)));
    for (let round = 0; round < 20; round += 1) {
      await writeFile(path, JSON.stringify(dead));
      const answers = children.map((child) => once(child, 'message'));
      for (const child of children) child.send('go');
      expect((await Promise.all(answers)).flat().filter(Boolean)).toHaveLength(1);
    }
    for (const child of children) child.disconnect();
    await Promise.all(children.map((child) => once(child, 'exit')));
  });

  it('is acquired when the process that was removing a stale lock died', async () => {
    const path = join(folder, 'lock');
    for (const name of [path, `${path}.takeover`]) await writeFile(name, JSON.stringify(dead));
    expect(tryLock(path)).toBeUndefined();
    expect(tryLock(path)).toEqual(currentProcessIdentity());
    expect(await readdir(folder)).toEqual(['lock']);
    unlock(path);
    expect(await readdir(folder)).toEqual([]);
  });

  it('of another process is not released', async () => {
    const path = join(folder, 'lock');
    await writeFile(path, JSON.stringify(dead));
    unlock(path);
    expect(await readdir(folder)).toEqual(['lock']);
  });
});

describe('installation lock', () => {
  it('is held during the work and released afterwards, also after a failure', async () => {
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

  it('is taken over from a process that no longer runs', async () => {
    const path = join(folder, 'lock');
    await writeFile(path, JSON.stringify(dead));
    expect(
      await withLock(
        path,
        async () => 'done',
        () => undefined,
      ),
    ).toBe('done');
    expect(await readdir(folder)).toEqual([]);
  });

  it('makes a second process wait', async () => {
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

describe('run lock', () => {
  it('names the running process and is released', async () => {
    const release = await acquireRunLock(folder, 'http://localhost:3000');
    expect(findRun(folder)).toMatchObject({ ...currentProcessIdentity(), url: 'http://localhost:3000' });
    await expect(acquireRunLock(folder, 'http://localhost:3001')).rejects.toThrow(
      `already runs here (process ${process.pid}) at http://localhost:3000`,
    );
    await release();
    expect(findRun(folder)).toBeUndefined();
  });

  it.each([JSON.stringify({ ...dead, url: 'x', startedAt: 'y' }), '{"pid":', '', '{}', 'null'])(
    'ignores a stale lock (%#)',
    async (content) => {
      await writeFile(join(folder, 'run.json'), content);
      expect(findRun(folder)).toBeUndefined();
      await (
        await acquireRunLock(folder, 'http://localhost:3000')
      )();
    },
  );
});
