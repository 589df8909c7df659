import {
  chmod,
  type FileHandle,
  mkdir,
  mkdtemp,
  open,
  readdir,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { usageSpoolContract } from '../../../testing/usage-spool.contract';
import { FileUsageSpool, type FileUsageSpoolOptions } from './file-usage-spool';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'homeport-usage-spool-'));
});

afterEach(() => rm(folder, { recursive: true }));

const opened = async (path: string, options?: FileUsageSpoolOptions) => {
  const spool = new FileUsageSpool(path, options);
  await spool.open();
  return spool;
};

/** Replaces `sync` of all files and folders for one test. */
const spyOnSync = async () => {
  const handle = await open(folder);
  await handle.close();
  return jest.spyOn(Object.getPrototypeOf(handle) as FileHandle, 'sync');
};

usageSpoolContract(FileUsageSpool.name, () => opened(join(folder, 'created')));

describe('FileUsageSpool', () => {
  it('ignores a file that a killed process left incomplete, and removes it after an hour', async () => {
    const [stale, recent] = [join(folder, 'b-1.part'), join(folder, 'b-2.part')];
    await Promise.all([writeFile(stale, '[{"organi'), writeFile(recent, '[')]);
    await utimes(stale, new Date(), new Date(Date.now() - 2 * 3_600_000));
    expect(await (await opened(folder)).names()).toEqual([]);
    expect(await readdir(folder)).toEqual(['b-2.part']);
  });

  it('reads the batches of the previous version, which consist of events', async () => {
    const spool = await opened(folder);
    const event = {
      organization: 'northwind',
      source: 'urn:homeport:api:a',
      id: '000000000000:0',
      item: 'gateway-call',
    };
    const stored = [{ ...event, quantity: '3000000', at: '2026-11-20T10:00:00.000Z' }];
    await writeFile(join(folder, 'a-000000000000.json'), JSON.stringify(stored));
    expect(await spool.read('a-000000000000')).toEqual({
      name: 'a-000000000000',
      uses: [],
      events: [{ ...event, quantity: 3_000_000n, at: new Date('2026-11-20T10:00:00Z') }],
    });
  });

  it('moves the batches that an earlier version left in another folder of this user', async () => {
    const earlierFolder = join(folder, 'earlier');
    await (await opened(earlierFolder)).add({ name: 'b-1', uses: [] });
    await writeFile(join(earlierFolder, 'b-2.part'), '[');
    const spool = await opened(join(folder, 'created'), { earlierFolder });
    expect([await spool.names(), await readdir(earlierFolder)]).toEqual([['b-1'], ['b-2.part']]);
    expect(await spool.read('b-1')).toEqual({ name: 'b-1', uses: [] });
    await chmod(earlierFolder, 0o701);
    await expect(opened(join(folder, 'created'), { earlierFolder })).rejects.toThrow(/must be a folder of the user/);
    await opened(join(folder, 'created'), { earlierFolder: join(folder, 'missing') });
  });

  it('leaves no batch and no file when it cannot write one', async () => {
    const spool = await opened(join(folder, 'created'));
    const sync = (await spyOnSync()).mockRejectedValue(new Error('no space left on device'));
    await expect(spool.add({ name: 'b-1', uses: [] })).rejects.toThrow('no space left');
    sync.mockRestore();
    expect(await readdir(join(folder, 'created'))).toEqual([]);
  });

  it('stores a batch once when the volume cannot sync a folder', async () => {
    const spool = await opened(join(folder, 'created'));
    const sync = (await spyOnSync()).mockImplementation(async function (this: FileHandle) {
      if ((await this.stat()).isDirectory()) throw new Error('invalid argument');
    });
    await spool.add({ name: 'b-1', uses: [] });
    sync.mockRestore();
    expect(await readdir(join(folder, 'created'))).toEqual(['b-1.json']);
  });

  it('leaves no batch when it cannot open the folder', async () => {
    const spool = await opened(join(folder, 'created'));
    await rm(join(folder, 'created'), { recursive: true });
    await expect(spool.add({ name: 'b-1', uses: [] })).rejects.toThrow('ENOENT');
    expect(await spool.names()).toEqual([]);
  });

  it('shares a folder with other processes, and with no other user', async () => {
    const spool = await opened(join(folder, 'created'));
    await spool.add({ name: 'b-1', uses: [] });
    expect(await (await opened(join(folder, 'created'))).names()).toEqual(['b-1']);
    expect((await stat(join(folder, 'created'))).mode & 0o077).toBe(0);
    expect((await stat(join(folder, 'created', 'b-1.json'))).mode & 0o077).toBe(0);
  });

  it('rejects a folder that others can read, or that is a link', async () => {
    const message = /must be a folder of the user of this program/;
    await mkdir(join(folder, 'open'), { mode: 0o700 });
    await chmod(join(folder, 'open'), 0o701);
    await expect(opened(join(folder, 'open'))).rejects.toThrow(message);
    await symlink(folder, join(folder, 'link'));
    await expect(opened(join(folder, 'link'))).rejects.toThrow(message);
    const parent = join(folder, 'open');
    await expect(opened(join(parent, 'below'), { privateParent: parent })).rejects.toThrow(message);
    await chmod(parent, 0o770);
    await opened(parent);
    await expect(opened(join(parent, 'below'), { privateParent: parent })).rejects.toThrow(message);
  });

  it('checks the folders that exist before it is opened, and creates none', async () => {
    const [parent, earlierFolder] = [join(folder, 'parent'), join(folder, 'earlier')];
    const spool = new FileUsageSpool(join(parent, 'below'), { privateParent: parent, earlierFolder });
    await spool.assertPrivate();
    expect(await readdir(folder)).toEqual([]);
    for (const existing of [earlierFolder, parent]) {
      await mkdir(existing, { mode: 0o700 });
      await spool.assertPrivate();
      await chmod(existing, 0o750);
      await expect(spool.assertPrivate()).rejects.toThrow(
        `The folder for usage ${existing} must be a folder of the user`,
      );
      await chmod(existing, 0o700);
    }
  });

  it('rejects a folder of another user', async () => {
    const getuid = jest.spyOn(process as { getuid: () => number }, 'getuid').mockReturnValue(process.getuid!() + 1);
    await expect(opened(folder)).rejects.toThrow(/must be a folder of the user/);
    getuid.mockRestore();
  });

  it('rejects when the folder cannot be created', async () => {
    await writeFile(join(folder, 'file'), '');
    await expect(opened(join(folder, 'file', 'spool'))).rejects.toThrow('ENOTDIR');
  });
});
