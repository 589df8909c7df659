import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { UploadSource, UploadAbortController, WRITE_TIMEOUT_MS } from '@homeport/platform/server/storage';
import { MemoryBudget } from '../../application/memory-budget';
import { PreconditionFailed, StorageTimeout } from '../../domain/files.errors';
import { workspaceKey, workspaceRoot } from '../../domain/workspace-key';
import { FakeS3Client, untilAborted } from '../../testing/fake-s3-client';
import { multipartEtag } from './entity-tags';
import { type MultipartOptions, MultipartUpload, PART_BYTES, type WriteResult } from './multipart-upload';
import { storageTimeout } from './s3-errors';

const BUDGET = 8 * PART_BYTES;
const PART = Buffer.alloc(PART_BYTES);
const KEY = workspaceKey(workspaceRoot({ issuer: 'https://issuer.example', subject: 'ada' }), 'a');
const TARGET = { Bucket: 'bucket', Key: KEY };
const FAILURE = new Error('refused');

const failCommand = () => Promise.reject(FAILURE);
/** Lets all pending asynchronous work run. */
const flushPendingWork = async () => {
  for (let turns = 0; turns < 100; turns += 1) await nextTurn();
};

describe('MultipartUpload', () => {
  let s3: FakeS3Client;
  let budget: MemoryBudget;
  let client: AbortController;

  beforeEach(() => {
    s3 = new FakeS3Client();
    budget = new MemoryBudget(BUDGET);
    client = new AbortController();
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  const bodyOf = (...chunks: Buffer[]) => Readable.from(chunks, { objectMode: false });
  const upload = (body: Readable, more: Partial<MultipartOptions> = {}): Promise<WriteResult> => {
    const watch = new UploadAbortController(body, client.signal, storageTimeout);
    const written = new MultipartUpload(s3.client, TARGET, {
      contentType: 'text/plain',
      memory: budget.shareOf('ada'),
      watch,
      conditions: () => Promise.resolve({}),
      ...more,
    });
    return written.write(new UploadSource(body)).finally(() => watch.resumed());
  };
  const expectAllMemoryReleased = () => expect(budget.freeBytes).toBe(BUDGET);

  it('uploads the parts and completes them in order with the conditions', async () => {
    let finishPart = (): void => undefined;
    s3.on('part 1', () => new Promise<void>((resolve) => (finishPart = resolve)));
    s3.on('part 3', () => finishPart());
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
    expectAllMemoryReleased();
  });

  it('derives the entity tag from the parts when storage returns an empty one', async () => {
    s3.on('end', () => ({ ETag: '' }));
    const etag = multipartEtag(['"part 1"', '"part 2"']);
    expect(await upload(bodyOf(PART, Buffer.alloc(1)))).toEqual({ etag, size: PART_BYTES + 1 });
  });

  it('has at most two parts in flight and a third in memory', async () => {
    const waiting: (() => void)[] = [];
    for (const number of [1, 2, 3, 4, 5]) {
      s3.on(`part ${number}`, () => new Promise<void>((resolve) => waiting.push(resolve)));
    }
    let taken = 0;
    const chunks = function* () {
      for (; taken < 5; taken += 1) yield PART;
    };
    const written = upload(Readable.from(chunks(), { objectMode: false, highWaterMark: 1 }), { size: 5 * PART_BYTES });
    await flushPendingWork();
    expect(s3.steps).toEqual(['begin', 'part 1', 'part 2']);
    expect(budget.freeBytes).toBe(BUDGET - 3 * PART_BYTES);
    for (let finished = 0; finished < 5; finished += 1) {
      waiting.shift()?.();
      await flushPendingWork();
    }
    await written;
    expect(s3.mostPartsInFlight).toBe(2);
    expectAllMemoryReleased();
  });

  it('retries a failed part once with all of its bytes', async () => {
    let tries = 0;
    s3.on('part 1', () => ((tries += 1) === 1 ? failCommand() : undefined));
    expect(await upload(bodyOf(PART, Buffer.alloc(1)))).toMatchObject({ size: PART_BYTES + 1 });
    expect(s3.steps.filter((step) => step === 'part 1')).toHaveLength(2);
    expect(s3.partSizes.toSorted((a, b) => a - b)).toEqual([1, PART_BYTES]);
    expectAllMemoryReleased();
  });

  it('does not retry a part that timed out', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'clearImmediate', 'queueMicrotask'] });
    s3.on('part 1', untilAborted);
    const written = upload(bodyOf(PART));
    const failed = expect(written).rejects.toBeInstanceOf(StorageTimeout);
    await flushPendingWork();
    jest.advanceTimersByTime(WRITE_TIMEOUT_MS);
    await failed;
    expect(s3.steps).toEqual(['begin', 'part 1', 'undo']);
    expectAllMemoryReleased();
  });

  it.each(['part 1', 'part 2', 'part 3', 'end'])('is aborted when storage rejects step "%s"', async (step) => {
    s3.on(step, failCommand);
    await expect(upload(bodyOf(PART, PART, PART))).rejects.toBe(FAILURE);
    expect(s3.steps.at(-1)).toBe('undo');
    expect(s3.inputOf('undo')).toMatchObject({ ...TARGET, UploadId: 'id' });
    expectAllMemoryReleased();
  });

  it('is aborted when its condition is no longer met', async () => {
    const conditions = () => Promise.reject(new PreconditionFailed());
    await expect(upload(bodyOf(PART), { conditions })).rejects.toBeInstanceOf(PreconditionFailed);
    expect(s3.steps).toEqual(['begin', 'part 1', 'undo']);
    expectAllMemoryReleased();
  });

  it('is aborted when its body fails', async () => {
    const chunks = function* () {
      yield PART;
      yield Buffer.alloc(1);
      throw FAILURE;
    };
    await expect(upload(Readable.from(chunks(), { objectMode: false }))).rejects.toBe(FAILURE);
    expect(s3.steps).toEqual(['begin', 'part 1', 'undo']);
    expectAllMemoryReleased();
  });

  it('rejects with the original error when the abort fails, too', async () => {
    s3.on('end', failCommand);
    s3.on('undo', () => Promise.reject(new Error('not now')));
    await expect(upload(bodyOf(PART))).rejects.toBe(FAILURE);
  });

  it('aborts nothing when the upload could not be created', async () => {
    s3.on('begin', failCommand);
    await expect(upload(bodyOf(PART))).rejects.toBe(FAILURE);
    expect(s3.steps).toEqual(['begin']);
    expectAllMemoryReleased();
  });

  it('is aborted when the client disconnects while the upload is created', async () => {
    s3.on('begin', ({ signal }) => {
      client.abort(FAILURE);
      expect(signal.aborted).toBe(false);
    });
    await expect(upload(bodyOf(PART))).rejects.toBe(FAILURE);
    expect(s3.steps).toEqual(['begin', 'undo']);
    expectAllMemoryReleased();
  });

  it('stops its parts and is aborted when the client disconnects', async () => {
    s3.on('part 1', (sent) => {
      client.abort(FAILURE);
      return untilAborted(sent);
    });
    await expect(upload(bodyOf(PART, PART))).rejects.toBe(FAILURE);
    expect(s3.steps.filter((step) => step === 'part 1')).toHaveLength(1);
    expect(s3.steps.at(-1)).toBe('undo');
    expectAllMemoryReleased();
  });

  it('is aborted only after all parts in flight have ended', async () => {
    let finishPart = (): void => undefined;
    s3.on('part 1', () => new Promise<void>((resolve) => (finishPart = resolve)));
    s3.on('part 2', failCommand);
    const failed = expect(upload(bodyOf(PART, PART))).rejects.toBe(FAILURE);
    await flushPendingWork();
    expect(s3.sent.find(({ step }) => step === 'part 1')?.signal.aborted).toBe(true);
    expect(s3.steps).not.toContain('undo');
    finishPart();
    await failed;
    expect(s3.steps.at(-1)).toBe('undo');
    expectAllMemoryReleased();
  });

  describe('without free memory', () => {
    let release: () => void;

    beforeEach(() => {
      const parts = ['bob', 'eve'].map((owner) => budget.shareOf(owner).newAllocation());
      for (const part of parts) part.tryGrow(BUDGET / 2);
      release = () => parts.forEach((part) => part.release());
    });

    it('streams parts when the size is known', async () => {
      const size = 2 * PART_BYTES + 5;
      expect(await upload(bodyOf(PART, PART, Buffer.alloc(5)), { size })).toEqual({ etag: '"whole"', size });
      expect(s3.partSizes).toEqual([PART_BYTES, PART_BYTES, 5]);
      expect(s3.inputOf('part 3')).toMatchObject({ ContentLength: 5 });
      expect(s3.mostPartsInFlight).toBe(1);
    });

    it('does not retry a streamed part, and aborts the upload', async () => {
      s3.on('part 2', failCommand);
      await expect(upload(bodyOf(PART, PART), { size: 2 * PART_BYTES })).rejects.toBe(FAILURE);
      expect(s3.steps).toEqual(['begin', 'part 1', 'part 2', 'undo']);
    });

    it('waits for memory when the size is unknown', async () => {
      const written = upload(bodyOf(PART));
      await flushPendingWork();
      expect(s3.steps).toEqual(['begin']);
      release();
      await written;
      expectAllMemoryReleased();
    });

    it('stops waiting for memory when the client disconnects', async () => {
      const failed = expect(upload(bodyOf(PART))).rejects.toBe(FAILURE);
      await flushPendingWork();
      client.abort(FAILURE);
      await failed;
      expect(s3.steps).toEqual(['begin', 'undo']);
      release();
      expectAllMemoryReleased();
    });
  });
});
