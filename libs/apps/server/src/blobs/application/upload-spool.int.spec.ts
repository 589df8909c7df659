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

  it('writes bytes to files and reads them back until it is closed', async () => {
    const spool = await spools.createSpool();
    const chunks: string[] = [];
    const onChunk = (chunk: Buffer) => void chunks.push(chunk.toString());
    const spooled = await spool.write(Readable.from([Buffer.from('one '), Buffer.from('two')]), { onChunk });
    expect([spooled.size, chunks]).toEqual([7, ['one ', 'two']]);
    expect((await buffer(spool.open(spooled))).toString()).toBe('one two');
    const other = await spool.write(Readable.from([]));
    expect(other.size).toBe(0);
    await spool.remove(other);
    expect(await readdir(dirname(spooled.file))).toHaveLength(1);
    await spool.close();
    expect(existsSync(dirname(spooled.file))).toBe(false);
    await spool.close();
  });

  it('transforms bytes while writing, and returns the new size', async () => {
    const spool = await spools.createSpool();
    const bytes = Buffer.alloc(100_000, 'text');
    const spooled = await spool.write(Readable.from([bytes]), { through: createGzip() });
    const coded = await buffer(spool.open(spooled));
    expect(spooled.size).toBe(coded.length);
    expect(gunzipSync(coded).equals(bytes)).toBe(true);
    await spool.close();
  });

  it('stops reading with the error that onChunk throws', async () => {
    const spool = await spools.createSpool();
    const tooMuch = new Error('too much');
    const source = Readable.from([Buffer.from('one'), Buffer.from('two')]);
    const onChunk = () => {
      throw tooMuch;
    };
    await expect(spool.write(source, { onChunk })).rejects.toBe(tooMuch);
    expect(source.destroyed).toBe(true);
    await spool.close();
  });

  it('leaves no files when it is aborted at any time', async () => {
    for (let turns = 0; turns < 30; turns += 1) {
      const spool = await spools.createSpool();
      const { folder } = spool;
      const abort = new AbortController();
      const source = new Readable({ read: () => undefined });
      source.push(Buffer.alloc(1_000));
      const writing = spool.write(source, { signal: abort.signal }).catch((error: unknown) => error);
      for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
      abort.abort();
      expect(await writing).toMatchObject({ name: 'AbortError' });
      await spool.close();
      expect([existsSync(folder), source.destroyed]).toEqual([false, true]);
    }
  });
});
