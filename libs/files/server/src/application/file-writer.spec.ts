import { beforeEach, describe, expect, it } from '@jest/globals';
import { Readable } from 'node:stream';
import { InMemoryObjectStore } from '../adapters/memory/in-memory-object-store';
import type { RequestConditions, WriteCondition } from '../domain/conditions';
import { PreconditionFailed } from '../domain/files.errors';
import { workspaceKey, workspaceRoot } from '../domain/workspace-key';
import { FileWriter } from './file-writer';
import { MemoryBudget } from './memory-budget';
import type { ObjectUpload } from './object-store.port';

const ada = { issuer: 'https://issuer.example', subject: 'ada' };
const OTHER = '"00000000000000000000000000000000"';

/** Records the calls to storage. */
class RecordingStore extends InMemoryObjectStore {
  readonly calls: (string | WriteCondition)[] = [];

  override async put(...[key, upload]: Parameters<InMemoryObjectStore['put']>): ReturnType<InMemoryObjectStore['put']> {
    this.calls.push(Buffer.isBuffer(upload.body) ? 'held' : 'streamed', upload.condition);
    return super.put(key, upload);
  }

  override async head(...args: Parameters<InMemoryObjectStore['head']>): ReturnType<InMemoryObjectStore['head']> {
    this.calls.push('head');
    return super.head(...args);
  }
}

describe('FileWriter', () => {
  let store: RecordingStore;
  let memory: MemoryBudget;
  let writer: FileWriter;

  beforeEach(() => {
    store = new RecordingStore();
    memory = new MemoryBudget(1_000);
    writer = new FileWriter(store, { maxBytes: 1_000, memory, tags: new Map() });
  });

  const write = (text: string, conditions: RequestConditions = {}, expectsContinue = false) =>
    writer.write(ada, 'a', {
      openBody: () => Readable.from([Buffer.from(text)]),
      size: text.length,
      expectsContinue,
      digests: [],
      conditions,
      signal: new AbortController().signal,
    });
  const writeElsewhere = (text: string) =>
    InMemoryObjectStore.prototype.put.call(store, workspaceKey(workspaceRoot(ada), 'a'), {
      body: Buffer.from(text),
      contentType: 'text/plain',
      condition: undefined,
      signal: new AbortController().signal,
    } satisfies ObjectUpload);

  it('calls storage once for a new file, and once for a file it wrote before', async () => {
    const first = await write('one');
    expect(first.created).toBe(true);
    expect((await write('two')).created).toBe(false);
    expect(store.calls).toEqual(['held', { absent: true }, 'held', { etag: first.entry.etag }]);
  });

  it('reports "created" correctly after another writer stored or deleted the file', async () => {
    await writeElsewhere('theirs');
    expect((await write('mine')).created).toBe(false);
    await writeElsewhere('theirs again');
    expect((await write('mine again')).created).toBe(false);
    await store.delete(workspaceKey(workspaceRoot(ada), 'a'));
    expect((await write('mine once more')).created).toBe(true);
  });

  it('passes a simple condition to storage, and reads the file first for other conditions', async () => {
    const { entry } = await write('one', { ifNoneMatch: '*' });
    await write('two', { ifMatch: entry.etag });
    expect(store.calls).toEqual(['held', { absent: true }, 'held', { etag: entry.etag }]);
    store.calls.length = 0;
    expect((await write('three', { ifNoneMatch: OTHER })).created).toBe(false);
    expect(store.calls[0]).toBe('head');
    await expect(write('four', { ifMatch: OTHER })).rejects.toBeInstanceOf(PreconditionFailed);
  });

  it('rejects a request with Expect: 100-continue before it requests the body', async () => {
    await write('one');
    store.calls.length = 0;
    await expect(write('two', { ifNoneMatch: '*' }, true)).rejects.toBeInstanceOf(PreconditionFailed);
    expect(store.calls).toEqual(['head']);
  });

  it('streams a body when there is no free memory', async () => {
    const releases = ['bob', 'eve'].map((owner) => memory.shareOf(owner).tryAllocate(374));
    await write('one');
    expect(store.calls).toEqual(['head', 'streamed', undefined]);
    for (const release of releases) release?.();
    await write('two');
    expect(store.calls).toContain('held');
    expect(memory.freeBytes).toBe(1_000);
  });
});
