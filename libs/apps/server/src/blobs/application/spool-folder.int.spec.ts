import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { SpoolFolder } from './spool-folder';

const MINUTE_MS = 60_000;
let parent: string;
let spools: SpoolFolder;

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'homeport-spools-'));
  spools = new SpoolFolder(parent);
});
afterEach(async () => {
  await spools.close();
  await rm(parent, { recursive: true });
});

const age = (folder: string, ms: number) => utimes(folder, new Date(Date.now() - ms), new Date(Date.now() - ms));

/** The PID of a process that has ended. */
async function endedProcess(): Promise<number> {
  const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
  await once(child, 'exit');
  return child.pid!;
}

/** Creates the folder of another process, with an upload in it. */
async function folderOf(pid: number, space?: string): Promise<string> {
  const other = new SpoolFolder(parent);
  const { folder } = await other.createSpool();
  const [, own = ''] = /homeport-deploy-(\w+)/.exec(folder) ?? [];
  await other.close();
  const left = join(parent, `homeport-deploy-${space ?? own}-${pid}-abcdef`);
  await mkdir(join(left, 'upload-abcdef'), { recursive: true });
  return left;
}

describe('SpoolFolder', () => {
  it('creates a separate folder for each upload, below one for the process', async () => {
    const [one, other] = await Promise.all([spools.createSpool(), spools.createSpool()]);
    expect(await readdir(parent)).toEqual([expect.stringMatching(new RegExp(`-${process.pid}-\\w{6}$`))]);
    await one.close();
    expect([existsSync(one.folder), existsSync(other.folder)]).toEqual([false, true]);
    await spools.close();
    expect(await readdir(parent)).toEqual([]);
  });

  it('removes the folder of an ended process immediately', async () => {
    const left = await folderOf(await endedProcess());
    const own = await spools.createSpool();
    expect(await spools.removeLeftovers()).toBe(1);
    expect([existsSync(left), existsSync(own.folder)]).toEqual([false, true]);
  });

  it('keeps the folder of a running process or another host until its heartbeat stops', async () => {
    const running = await folderOf(process.ppid);
    const elsewhere = await folderOf(await endedProcess(), '01234567');
    const former = await folderOf(process.pid);
    expect(await spools.removeLeftovers()).toBe(0);
    for (const folder of [running, elsewhere, former]) await age(folder, 4 * MINUTE_MS);
    expect(await spools.removeLeftovers()).toBe(0);
    for (const folder of [running, elsewhere, former]) await age(folder, 6 * MINUTE_MS);
    expect(await spools.removeLeftovers()).toBe(3);
  });

  it.each([60, -60])('is not misled by a clock that is %s minutes off', async (minutes) => {
    const { folder } = await spools.createSpool();
    const running = await folderOf(process.ppid);
    const now = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + minutes * MINUTE_MS);
    const other = new SpoolFolder(parent);
    expect(await other.removeLeftovers()).toBe(0);
    await other.close();
    now.mockRestore();
    expect([existsSync(folder), existsSync(running)]).toEqual([true, true]);
  });

  it('removes folders of earlier versions after a day, and no other folders', async () => {
    const [old, young, foreign] = ['homeport-deploy-abc123', 'homeport-deploy-def456', 'other-abc123'].map((name) =>
      join(parent, name),
    );
    for (const folder of [old!, young!, foreign!]) await mkdir(folder);
    await age(old!, 25 * 60 * MINUTE_MS);
    await age(young!, 23 * 60 * MINUTE_MS);
    await age(foreign!, 25 * 60 * MINUTE_MS);
    expect(await spools.removeLeftovers()).toBe(1);
    expect([old!, young!, foreign!].map((folder) => existsSync(folder))).toEqual([false, true, true]);
  });

  it('recreates its folder when it was removed', async () => {
    const { folder } = await spools.createSpool();
    await rm(join(folder, '..'), { recursive: true });
    const again = await spools.createSpool();
    expect(existsSync(again.folder)).toBe(true);
  });

  it('names the folder that cannot be written to', async () => {
    const file = join(parent, 'file');
    await writeFile(file, '');
    const closed = new SpoolFolder(file);
    await expect(closed.open()).rejects.toThrow(
      `The folder for temporary files, ${file}, cannot be written to (ENOTDIR).`,
    );
  });
});
