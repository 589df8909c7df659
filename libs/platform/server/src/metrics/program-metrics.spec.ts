import { statfsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Metrics } from './metrics';
import { addProgramMetrics } from './program-metrics';

describe('the metrics of the folders of a program', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'measured-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const sizes = async (folders: Readonly<Record<string, string>>) => {
    const metrics = new Metrics();
    addProgramMetrics(metrics, { health: { states: [] }, isReady: () => true, pools: {}, folders });
    const text = await metrics.text();
    return [...text.matchAll(/^homeport_disk_size_bytes\{folder="(\w+)"\} (\d+)$/gm)].map(([, name, value]) => [
      name,
      Number(value),
    ]);
  };

  it('have the disk of each folder, also of one that is created with its first file', async () => {
    const { blocks, bsize } = statfsSync(folder);
    expect(await sizes({ temporary: folder, usage: join(folder, 'usage/0123') })).toEqual([
      ['temporary', blocks * bsize],
      ['usage', blocks * bsize],
    ]);
  });

  it('are left out while a disk does not answer, which is asked once', async () => {
    const metrics = new Metrics({ sourceLimitSeconds: 0.01 });
    const { promise } = Promise.withResolvers<never>();
    const readDisk = jest.fn(() => promise);
    const folders = { usage: folder };
    addProgramMetrics(metrics, { health: { states: [] }, isReady: () => true, pools: {}, folders, readDisk });
    await metrics.text();
    const text = await metrics.text();
    expect(text).toContain('homeport_metrics_source_up{source="disks"} 0');
    expect(text).not.toMatch(/^homeport_disk_size_bytes/m);
    expect(readDisk).toHaveBeenCalledTimes(1);
  });

  it('leave out a folder that cannot be read', async () => {
    expect(await sizes({ usage: `${folder}/\0` })).toEqual([]);
  });
});
