import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createGzip, gunzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from '@jest/globals';
import { SpoolFolder } from './spool-folder';

describe('UploadSpool', () => {
  const spools = new SpoolFolder();
  afterAll(() => spools.close());

  it('puts bytes aside and gives them back, until it is closed', async () => {
    const spool = await spools.make();
    const chunks: string[] = [];
    const onChunk = (chunk: Buffer) => void chunks.push(chunk.toString());
    const kept = await spool.write(Readable.from([Buffer.from('one '), Buffer.from('two')]), { onChunk });
    expect([kept.size, chunks]).toEqual([7, ['one ', 'two']]);
    expect((await buffer(spool.open(kept))).toString()).toBe('one two');
    const other = await spool.write(Readable.from([]));
    expect(other.size).toBe(0);
    await spool.remove(other);
    expect(await readdir(dirname(kept.file))).toHaveLength(1);
    await spool.close();
    expect(existsSync(dirname(kept.file))).toBe(false);
    await spool.close();
  });

  it('makes other bytes of them on the way, and tells their size', async () => {
    const spool = await spools.make();
    const bytes = Buffer.alloc(100_000, 'text');
    const kept = await spool.write(Readable.from([bytes]), { through: createGzip() });
    const coded = await buffer(spool.open(kept));
    expect(kept.size).toBe(coded.length);
    expect(gunzipSync(coded).equals(bytes)).toBe(true);
    await spool.close();
  });

  it('ends the reading with what its listener throws', async () => {
    const spool = await spools.make();
    const tooMuch = new Error('too much');
    const source = Readable.from([Buffer.from('one'), Buffer.from('two')]);
    const onChunk = () => {
      throw tooMuch;
    };
    await expect(spool.write(source, { onChunk })).rejects.toBe(tooMuch);
    expect(source.destroyed).toBe(true);
    await spool.close();
  });

  it('leaves nothing behind, at whichever moment it is given up', async () => {
    for (let turns = 0; turns < 30; turns += 1) {
      const spool = await spools.make();
      const { folder } = spool;
      const leaving = new AbortController();
      const source = new Readable({ read: () => undefined });
      source.push(Buffer.alloc(1_000));
      const keeping = spool.write(source, { signal: leaving.signal }).catch((error: unknown) => error);
      for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
      leaving.abort();
      expect(await keeping).toMatchObject({ name: 'AbortError' });
      await spool.close();
      expect([existsSync(folder), source.destroyed]).toEqual([false, true]);
    }
  });
});
