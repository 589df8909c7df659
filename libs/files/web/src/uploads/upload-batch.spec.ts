// Outside a build, Angular's published code needs the compiler at run time.
import '@angular/compiler';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { HttpProblem } from '@homeport/platform/web';
import { UploadBatch } from './upload-batch';
import type { UploadChannel, UploadResult } from './upload-channel';

const tooLarge = new HttpProblem({ kind: 'refused', status: 413, title: 'Too large', detail: 'No.', code: 'files.x' });

interface Options {
  readonly names: readonly string[];
  readonly tooLarge: readonly string[];
  readonly refused?: number;
}

/** Uploads files, some of which the server rejects. */
async function upload(options: Options) {
  const messages: string[] = [];
  const send = (item: { path: string }): Promise<UploadResult> =>
    Promise.resolve(
      options.tooLarge.includes(item.path)
        ? { problem: tooLarge, retryAfterMs: undefined }
        : { entry: { key: item.path, size: 1, etag: '"1"', modified_at: '2026-11-01T00:00:00Z' } },
    );
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
  await batch.start();
  return { view: batch.view(), messages };
}

// Node's `navigator` does not say whether there is a connection.
beforeAll(() => void Object.defineProperty(navigator, 'onLine', { value: true, configurable: true }));

describe('UploadBatch', () => {
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
