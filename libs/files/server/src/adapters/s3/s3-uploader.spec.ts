import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { PassThrough, Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { UploadAbortController } from '@homeport/platform/server/storage';
import { MemoryBudget } from '../../application/memory-budget';
import type { ObjectUpload } from '../../application/object-store.port';
import { PreconditionFailed } from '../../domain/files.errors';
import { workspaceKey, workspaceRoot } from '../../domain/workspace-key';
import { FakeS3Client } from '../../testing/fake-s3-client';
import { FULL_CAPABILITIES } from './capabilities';
import { PART_BYTES } from './multipart-upload';
import { S3Uploader, type S3UploaderOptions } from './s3-uploader';
import { storageTimeout } from './s3-errors';

const BUDGET = 4 * PART_BYTES;
const PART = Buffer.alloc(PART_BYTES);
const KEY = workspaceKey(workspaceRoot({ issuer: 'https://issuer.example', subject: 'ada' }), 'a');
const ABSENT = { absent: true } as const;
const LIMITED = { quotedTags: true, conditionalCompletion: false, conditionalDeletion: true };

describe('S3Uploader', () => {
  let s3: FakeS3Client;
  let budget: MemoryBudget;
  const assertCondition = jest.fn<S3UploaderOptions['assertCondition']>();

  beforeEach(() => {
    s3 = new FakeS3Client();
    budget = new MemoryBudget(BUDGET);
    assertCondition.mockReset().mockResolvedValue();
  });

  const write = async (
    body: Readable,
    more: Partial<Omit<ObjectUpload, 'body'>> = {},
    capabilities = FULL_CAPABILITIES,
  ) => {
    const { signal } = new AbortController();
    const upload = { body, contentType: 'text/plain', condition: undefined, signal, ...more };
    const watch = new UploadAbortController(body, signal, storageTimeout);
    const tools = { multipartThresholdBytes: PART_BYTES, client: s3.client, memory: budget, assertCondition };
    const uploader = new S3Uploader({ ...tools, capabilities: () => Promise.resolve(capabilities) });
    return uploader.write({ Bucket: 'bucket', Key: KEY }, upload, watch).finally(() => watch.resumed());
  };
  const bodyOf = (...chunks: Buffer[]) => Readable.from(chunks, { objectMode: false });
  const expectAllMemoryReleased = () => expect(budget.freeBytes).toBe(BUDGET);

  it('writes small and single-part bodies in one request', async () => {
    await write(bodyOf(Buffer.from('small')), { size: 5 });
    await write(bodyOf(Buffer.from('un'), Buffer.from('known')));
    await write(bodyOf(PART));
    expect(s3.steps).toEqual(['put', 'put', 'put']);
    expect(s3.sent[0]?.input).toMatchObject({ ContentLength: 5 });
    expect(s3.sent[1]?.input).toMatchObject({ Body: Buffer.from('unknown') });
    expectAllMemoryReleased();
  });

  it('writes larger bodies in parts', async () => {
    const size = PART_BYTES + 1;
    for (const more of [{ size }, {}]) {
      s3.partSizes.length = 0;
      expect(await write(bodyOf(PART, Buffer.alloc(1)), more)).toEqual({ etag: '"whole"', size });
      expect(s3.partSizes).toEqual([PART_BYTES, 1]);
    }
    expectAllMemoryReleased();
  });

  it('releases the memory when storage rejects the write', async () => {
    for (const step of ['put', 'begin']) s3.on(step, () => Promise.reject(new Error('refused')));
    await expect(write(bodyOf(PART))).rejects.toThrow('refused');
    await expect(write(bodyOf(PART, PART))).rejects.toThrow('refused');
    expect(s3.steps).toEqual(['put', 'begin']);
    expectAllMemoryReleased();
  });

  it('allocates no memory before the first byte arrives', async () => {
    const body = new PassThrough();
    const written = write(body);
    for (let turns = 0; turns < 10; turns += 1) await nextTurn();
    expectAllMemoryReleased();
    body.write('x');
    for (let turns = 0; turns < 10; turns += 1) await nextTurn();
    expect(budget.freeBytes).toBeLessThan(BUDGET);
    body.end();
    await written;
    expectAllMemoryReleased();
  });

  it('passes conditions to storage when storage checks them', async () => {
    const size = 2 * PART_BYTES;
    await write(bodyOf(PART, PART), { size, condition: { etag: '"old"' } });
    await write(bodyOf(PART), { size: PART_BYTES, condition: ABSENT });
    expect(s3.inputOf('end')).toMatchObject({ IfMatch: '"old"' });
    expect(s3.inputOf('put')).toMatchObject({ IfNoneMatch: '*' });
    expect(assertCondition).not.toHaveBeenCalled();
  });

  describe('when storage ignores conditions on multipart uploads', () => {
    it('writes a conditional body of known size in one request', async () => {
      await write(bodyOf(PART, PART), { size: 2 * PART_BYTES, condition: ABSENT }, LIMITED);
      expect(s3.steps).toEqual(['put']);
      expect(s3.inputOf('put')).toMatchObject({ IfNoneMatch: '*' });
    });

    it('checks the condition just before completion when the size is unknown', async () => {
      assertCondition.mockImplementation(() => {
        expect(s3.steps).toEqual(['begin', 'part 1', 'part 2']);
        return Promise.reject(new PreconditionFailed('"new"'));
      });
      const refused = write(bodyOf(PART, PART), { condition: ABSENT }, LIMITED);
      await expect(refused).rejects.toMatchObject({ etag: '"new"' });
      expect(assertCondition).toHaveBeenCalledWith(KEY, ABSENT);
      expect(s3.steps.at(-1)).toBe('undo');
      expectAllMemoryReleased();
    });
  });
});
