import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { usageSpoolContract } from '../../../testing/usage-spool.contract';
import { FileUsageSpool } from './file-usage-spool';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'homeport-usage-spool-'));
});

afterEach(() => rm(folder, { recursive: true }));

usageSpoolContract(FileUsageSpool.name, async () => new FileUsageSpool(join(folder, 'created')));

describe('FileUsageSpool', () => {
  it('ignores a file that a killed process left incomplete', async () => {
    await writeFile(join(folder, 'b-1.part'), '[{"organi');
    expect(await new FileUsageSpool(folder).names()).toEqual([]);
  });

  it('shares a folder with other processes, and with no other user', async () => {
    const spool = new FileUsageSpool(join(folder, 'created'));
    await spool.add({ name: 'b-1', uses: [] });
    expect(await new FileUsageSpool(join(folder, 'created')).names()).toEqual(['b-1']);
    expect((await stat(join(folder, 'created'))).mode & 0o077).toBe(0);
    expect((await stat(join(folder, 'created', 'b-1.json'))).mode & 0o077).toBe(0);
  });

  it('rejects when the folder cannot be created', async () => {
    await writeFile(join(folder, 'file'), '');
    const spool = new FileUsageSpool(join(folder, 'file', 'spool'));
    await expect(spool.add({ name: 'b-1', uses: [] })).rejects.toThrow('ENOTDIR');
  });
});
