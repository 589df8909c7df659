import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { UploadSource, UploadAbortController, WRITE_TIMEOUT_MS } from '@homeport/platform/server';
import { MemoryBudget } from '../../application/memory-budget';
import { PreconditionFailed, StorageTimeout } from '../../domain/files.errors';
import { workspaceKey, workspaceRoot } from '../../domain/workspace-key';
import { FakeS3Client, untilAborted } from '../../testing/fake-s3-client';
import { multipartEtag } from './entity-tags';
import { type MultipartOptions, MultipartUpload, PART_BYTES, type WriteResult } from './multipart-upload';
import { storageTimeout } from './storage-timeout';

const BUDGET = 8 * PART_BYTES;
const PART = Buffer.alloc(PART_BYTES);
const KEY = workspaceKey(workspaceRoot({ issuer: 'https://issuer.example', subject: 'ada' }), 'a');
const TARGET = { Bucket: 'bucket', Key: KEY };
const REFUSED = new Error('refused');

const refuse = () => Promise.reject(REFUSED);
/** What can happen without anybody's help has happened. */
const settled = async () => {
  for (let turns = 0; turns < 100; turns += 1) await nextTurn();
};

describe('MultipartUpload', () => {
  let s3: FakeS3Client;
  let budget: MemoryBudget;
  let leaving: AbortController;

  beforeEach(() => {
    s3 = new FakeS3Client();
    budget = new MemoryBudget(BUDGET);
    leaving = new AbortController();
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  const bodyOf = (...chunks: Buffer[]) => Readable.from(chunks, { objectMode: false });
  const upload = (body: Readable, more: Partial<MultipartOptions> = {}): Promise<WriteResult> => {
    const watch = new UploadAbortController(body, leaving.signal, storageTimeout);
    const written = new MultipartUpload(s3.client, TARGET, {
      contentType: 'text/plain',
      memory: budget.shareOf('ada'),
      watch,
      conditions: () => Promise.resolve({}),
      ...more,
    });
    return written.write(new UploadSource(body)).finally(() => watch.resumed());
  };
  const expectBudgetWhole = () => expect(budget.freeBytes).toBe(BUDGET);

  it('writes the parts, and joins them in their order under the conditions', async () => {
    let land = (): void => undefined;
    s3.on('part 1', () => new Promise<void>((resolve) => (land = resolve)));
    s3.on('part 3', () => land());
    const written = await upload(bodyOf(PART, PART, Buffer.alloc(5)), {
      conditions: () => Promise.resolve({ IfMatch: '"old"' }),
    });
    expect(written).toEqual({ etag: '"whole"', size: 2 * PART_BYTES + 5 });
    expect(s3.steps).toEqual(['begin', 'part 1', 'part 2', 'part 3', 'end']);
    expect(s3.inputOf('end')).toMatchObject({
      ...TARGET,
      UploadId: 'id',
      IfMatch: '"old"',
      MultipartUpload: { Parts: [1, 2, 3].map((number) => ({ PartNumber: number, ETag: `"part ${number}"` })) },
    });
    for (const step of s3.steps.slice(0, -1)) expect(s3.inputOf(step)).not.toHaveProperty('IfMatch');
    expectBudgetWhole();
  });

  it('derives the entity tag from the parts when storage answers with an empty one', async () => {
    s3.on('end', () => ({ ETag: '' }));
    const etag = multipartEtag(['"part 1"', '"part 2"']);
    expect(await upload(bodyOf(PART, Buffer.alloc(1)))).toEqual({ etag, size: PART_BYTES + 1 });
  });

  it('has two parts on their way and a third in memory, and no more', async () => {
    const waiting: (() => void)[] = [];
    for (const number of [1, 2, 3, 4, 5]) {
      s3.on(`part ${number}`, () => new Promise<void>((resolve) => waiting.push(resolve)));
    }
    let taken = 0;
    const pieces = function* () {
      for (; taken < 5; taken += 1) yield PART;
    };
    const written = upload(Readable.from(pieces(), { objectMode: false, highWaterMark: 1 }), { size: 5 * PART_BYTES });
    await settled();
    expect(s3.steps).toEqual(['begin', 'part 1', 'part 2']);
    expect(budget.freeBytes).toBe(BUDGET - 3 * PART_BYTES);
    for (let landed = 0; landed < 5; landed += 1) {
      waiting.shift()?.();
      await settled();
    }
    await written;
    expect(s3.mostPartsInFlight).toBe(2);
    expectBudgetWhole();
  });

  it('sends a part that failed once more, and whole', async () => {
    let tries = 0;
    s3.on('part 1', () => ((tries += 1) === 1 ? refuse() : undefined));
    expect(await upload(bodyOf(PART, Buffer.alloc(1)))).toMatchObject({ size: PART_BYTES + 1 });
    expect(s3.steps.filter((step) => step === 'part 1')).toHaveLength(2);
    expect(s3.partSizes.toSorted((a, b) => a - b)).toEqual([1, PART_BYTES]);
    expectBudgetWhole();
  });

  it('does not send a part again that storage left without an answer', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'clearImmediate', 'queueMicrotask'] });
    s3.on('part 1', untilAborted);
    const written = upload(bodyOf(PART));
    const failed = expect(written).rejects.toBeInstanceOf(StorageTimeout);
    await settled();
    jest.advanceTimersByTime(WRITE_TIMEOUT_MS);
    await failed;
    expect(s3.steps).toEqual(['begin', 'part 1', 'undo']);
    expectBudgetWhole();
  });

  it.each(['part 1', 'part 2', 'part 3', 'end'])('is taken back when storage refuses %s', async (step) => {
    s3.on(step, refuse);
    await expect(upload(bodyOf(PART, PART, PART))).rejects.toBe(REFUSED);
    expect(s3.steps.at(-1)).toBe('undo');
    expect(s3.inputOf('undo')).toMatchObject({ ...TARGET, UploadId: 'id' });
    expectBudgetWhole();
  });

  it('is taken back when its condition does not hold any more', async () => {
    const conditions = () => Promise.reject(new PreconditionFailed());
    await expect(upload(bodyOf(PART), { conditions })).rejects.toBeInstanceOf(PreconditionFailed);
    expect(s3.steps).toEqual(['begin', 'part 1', 'undo']);
    expectBudgetWhole();
  });

  it('is taken back when its body breaks off', async () => {
    const pieces = function* () {
      yield PART;
      yield Buffer.alloc(1);
      throw REFUSED;
    };
    await expect(upload(Readable.from(pieces(), { objectMode: false }))).rejects.toBe(REFUSED);
    expect(s3.steps).toEqual(['begin', 'part 1', 'undo']);
    expectBudgetWhole();
  });

  it('raises why it failed when it cannot be taken back either', async () => {
    s3.on('end', refuse);
    s3.on('undo', () => Promise.reject(new Error('not now')));
    await expect(upload(bodyOf(PART))).rejects.toBe(REFUSED);
  });

  it('has nothing to take back when it never began', async () => {
    s3.on('begin', refuse);
    await expect(upload(bodyOf(PART))).rejects.toBe(REFUSED);
    expect(s3.steps).toEqual(['begin']);
    expectBudgetWhole();
  });

  it('is taken back when the client leaves while it begins', async () => {
    s3.on('begin', ({ signal }) => {
      leaving.abort(REFUSED);
      expect(signal.aborted).toBe(false);
    });
    await expect(upload(bodyOf(PART))).rejects.toBe(REFUSED);
    expect(s3.steps).toEqual(['begin', 'undo']);
    expectBudgetWhole();
  });

  it('stops its parts when the client leaves, and is taken back', async () => {
    s3.on('part 1', (sent) => {
      leaving.abort(REFUSED);
      return untilAborted(sent);
    });
    await expect(upload(bodyOf(PART, PART))).rejects.toBe(REFUSED);
    expect(s3.steps.filter((step) => step === 'part 1')).toHaveLength(1);
    expect(s3.steps.at(-1)).toBe('undo');
    expectBudgetWhole();
  });

  it('is taken back only when no part is on its way any more', async () => {
    let land = (): void => undefined;
    s3.on('part 1', () => new Promise<void>((resolve) => (land = resolve)));
    s3.on('part 2', refuse);
    const failed = expect(upload(bodyOf(PART, PART))).rejects.toBe(REFUSED);
    await settled();
    expect(s3.sent.find(({ step }) => step === 'part 1')?.signal.aborted).toBe(true);
    expect(s3.steps).not.toContain('undo');
    land();
    await failed;
    expect(s3.steps.at(-1)).toBe('undo');
    expectBudgetWhole();
  });

  describe('without memory for its parts', () => {
    let release: () => void;

    beforeEach(() => {
      const parts = ['somebody', 'somebody else'].map((owner) => budget.shareOf(owner).newAllocation());
      for (const part of parts) part.tryGrow(BUDGET / 2);
      release = () => parts.forEach((part) => part.release());
    });

    it('hands parts of a known size on as they come', async () => {
      const size = 2 * PART_BYTES + 5;
      expect(await upload(bodyOf(PART, PART, Buffer.alloc(5)), { size })).toEqual({ etag: '"whole"', size });
      expect(s3.partSizes).toEqual([PART_BYTES, PART_BYTES, 5]);
      expect(s3.inputOf('part 3')).toMatchObject({ ContentLength: 5 });
      expect(s3.mostPartsInFlight).toBe(1);
    });

    it('does not send a part twice that has passed by, and takes back the upload', async () => {
      s3.on('part 2', refuse);
      await expect(upload(bodyOf(PART, PART), { size: 2 * PART_BYTES })).rejects.toBe(REFUSED);
      expect(s3.steps).toEqual(['begin', 'part 1', 'part 2', 'undo']);
    });

    it('waits for memory where the size is not known', async () => {
      const written = upload(bodyOf(PART));
      await settled();
      expect(s3.steps).toEqual(['begin']);
      release();
      await written;
      expectBudgetWhole();
    });

    it('waits no longer than the client does', async () => {
      const failed = expect(upload(bodyOf(PART))).rejects.toBe(REFUSED);
      await settled();
      leaving.abort(REFUSED);
      await failed;
      expect(s3.steps).toEqual(['begin', 'undo']);
      release();
      expectBudgetWhole();
    });
  });
});
