// Outside a build, Angular's published code needs the compiler at run time.
import '@angular/compiler';
import { afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { HttpProblem } from '@homeport/platform/web';
import { UploadBatch } from './upload-batch';
import type { UploadChannel, UploadResult } from './upload-channel';

const unreachable = new HttpProblem({ kind: 'unreachable', status: 0, title: 'Away', detail: 'No.', code: 'client.x' });
const tooLarge = new HttpProblem({ kind: 'refused', status: 413, title: 'Too large', detail: 'No.', code: 'files.x' });

interface Options {
  readonly names: readonly string[];
  readonly tooLarge: readonly string[];
  readonly refused?: number;
  /** The number of attempts that do not reach the server. */
  readonly unreachable?: number;
}

/** A batch of files, some of which the server rejects. */
function batchOf(options: Options) {
  const messages: string[] = [];
  let failures = options.unreachable ?? 0;
  const send = (item: { path: string }): Promise<UploadResult> => {
    if (failures-- > 0) return Promise.resolve({ problem: unreachable, retryAfterMs: undefined });
    return Promise.resolve(
      options.tooLarge.includes(item.path)
        ? { problem: tooLarge, retryAfterMs: undefined }
        : { entry: { key: item.path, size: 1, etag: '"1"', modified_at: '2026-11-01T00:00:00Z' } },
    );
  };
  const batch = new UploadBatch({
    items: options.names.map((path) => ({ path, key: path, content: new File(['x'], path), replace: false })),
    target: 'docs',
    channel: { send } as unknown as UploadChannel,
    onStored: () => undefined,
    onDone: (message) => messages.push(message),
    onFailed: (message) => messages.push(message),
    refused: options.refused ?? 0,
    notes: Array.from({ length: options.refused ?? 0 }, () => 'b\u0000.md cannot be stored.'),
    ask: () => Promise.resolve(undefined),
    resolveConflict: (item) => item,
  });
  return { batch, messages };
}

async function upload(options: Options) {
  const { batch, messages } = batchOf(options);
  await batch.start();
  return { view: batch.view(), messages };
}

// Node's `navigator` does not say whether there is a connection.
beforeAll(() => void Object.defineProperty(navigator, 'onLine', { value: true, configurable: true }));

afterEach(() => void jest.useRealTimers());

describe('UploadBatch', () => {
  it('says that it waits for the server until an attempt reaches it', async () => {
    jest.useFakeTimers();
    const { batch } = batchOf({ names: ['a'], tooLarge: [], unreachable: 1 });
    const ended = batch.start();
    await jest.advanceTimersByTimeAsync(0);
    expect(batch.view()).toMatchObject({ state: 'waiting', detail: '0 of 1 · waiting for the server' });
    await jest.advanceTimersByTimeAsync(1_000);
    await ended;
    expect(batch.view().state).toBe('done');
  });

  it('counts the files of a partly failed upload', async () => {
    const { view, messages } = await upload({ names: ['a', 'b', 'c'], tooLarge: ['b'] });
    expect(view).toMatchObject({ title: 'Uploaded 2 of 3 files to docs', state: 'failed', announcement: '' });
    expect(view.problems).toEqual(['b: Too large. No.']);
    expect(messages).toEqual(['1 of 3 files was not uploaded to docs.']);
  });

  it('counts files that cannot be stored as not uploaded', async () => {
    const { view, messages } = await upload({ names: ['a'], tooLarge: [], refused: 2 });
    expect(view).toMatchObject({ title: 'Uploaded 1 of 3 files to docs', state: 'failed' });
    expect(messages).toEqual(['2 of 3 files were not uploaded to docs.']);
  });

  it('reports once that all files were uploaded', async () => {
    const { view, messages } = await upload({ names: ['a', 'b'], tooLarge: [] });
    expect(view).toMatchObject({ title: 'Uploaded 2 files to docs', state: 'done', announcement: '' });
    expect(messages).toEqual(['Uploaded 2 files to docs']);
  });

  it('names a single file that was not uploaded', async () => {
    const { view, messages } = await upload({ names: ['a'], tooLarge: ['a'] });
    expect([view.title, messages]).toEqual(['Could not upload 1 file to docs', ['The file was not uploaded to docs.']]);
  });
});
