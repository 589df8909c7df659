import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Readable } from 'node:stream';
import { UploadSource } from './upload-source';

const ignoring = { paused: () => undefined, resumed: () => undefined };

describe('UploadSource', () => {
  it('delivers every byte once for any chunk sizes', async () => {
    const chunkLists = fc.array(fc.uint8Array({ minLength: 1, maxLength: 20 }), { maxLength: 10 });
    const readSizes = fc.array(fc.record({ bytes: fc.integer({ min: 1, max: 30 }), isHeld: fc.boolean() }), {
      minLength: 1,
    });
    await fc.assert(
      fc.asyncProperty(chunkLists, readSizes, async (chunks, reads) => {
        const all = Buffer.concat(chunks);
        const source = new UploadSource(
          Readable.from(
            chunks.map((each) => Buffer.from(each)),
            { objectMode: false },
          ),
        );
        const taken: Buffer[] = [];
        for (let i = 0; !(await source.isAtEnd()); i += 1) {
          const { bytes, isHeld } = reads[i % reads.length] as (typeof reads)[number];
          const part = isHeld ? await source.readChunks(bytes) : await source.stream(bytes, ignoring).toArray();
          const size = Buffer.concat(part as Buffer[]).length;
          expect(size).toBe(Math.min(bytes, all.length - Buffer.concat(taken).length));
          taken.push(...(part as Buffer[]));
        }
        expect(Buffer.concat(taken)).toEqual(all);
      }),
    );
  });

  it('reports when its reader has bytes and when it requests more', async () => {
    const seen: string[] = [];
    const watch = { paused: () => seen.push('waiting'), resumed: () => seen.push('moving') };
    const source = new UploadSource(Readable.from([Buffer.from('ab'), Buffer.from('c')], { objectMode: false }));
    await source.stream(3, watch).toArray();
    expect(seen).toEqual(['waiting', 'moving', 'waiting', 'moving', 'waiting']);
  });
});
