import { Readable } from 'node:stream';
import { recordOutages } from '@homeport/platform/server/testing';
import { describe, expect, it } from '@jest/globals';
import type { ObjectRead } from '../../application/object-store.port';
import { PreconditionFailed, StorageTimeout, StorageUnavailable } from '../../domain/files.errors';
import type { WorkspaceKey } from '../../domain/workspace-key';
import { objectStoreContract } from '../../testing/object-store.contract';
import { InMemoryObjectStore } from '../memory/in-memory-object-store';
import { ObservedObjectStore } from './observed-object-store';

const observed = new ObservedObjectStore(new InMemoryObjectStore(), recordOutages('storage').outages);
objectStoreContract(ObservedObjectStore.name, () => observed);

const key = 'u/a/b' as WorkspaceKey;

/** A store whose reads return the result that a test sets. */
class ScriptedStore extends InMemoryObjectStore {
  next: () => Promise<ObjectRead | undefined> = async () => undefined;

  override get(): Promise<ObjectRead | undefined> {
    return this.next();
  }
}

function opened() {
  const store = new ScriptedStore();
  const { outages, lines } = recordOutages('storage');
  const caller = new AbortController();
  const read = () => new ObservedObjectStore(store, outages).get(key, {}, caller.signal);
  return { store, lines, caller, read };
}

const denied = Object.assign(new Error('S3 answered 403'), { code: 'AccessDenied' });

describe('ObservedObjectStore', () => {
  it('logs a failure and the recovery', async () => {
    const { store, lines, read } = opened();
    store.next = () => Promise.reject(new StorageUnavailable({ cause: denied }));
    await expect(read()).rejects.toBeInstanceOf(StorageUnavailable);
    store.next = async () => undefined;
    await read();
    expect(lines.map(({ msg, cause }) => `${msg} ${cause}`)).toEqual([
      'dependency failed AccessDenied',
      'dependency recovered AccessDenied',
    ]);
  });

  it('does not log domain errors, bugs or failures after the caller disconnected', async () => {
    const { store, lines, caller, read } = opened();
    for (const error of [new PreconditionFailed(), new TypeError('broken')]) {
      store.next = () => Promise.reject(error);
      await expect(read()).rejects.toBe(error);
    }
    caller.abort();
    store.next = () => Promise.reject(new StorageUnavailable());
    await expect(read()).rejects.toBeInstanceOf(StorageUnavailable);
    expect(lines).toEqual([]);
  });

  it('logs a response body that fails', async () => {
    const { store, lines, read } = opened();
    const body = new Readable({ read: () => undefined });
    store.next = async () => ({ body, length: 1, size: 1, etag: '"a"', modifiedAt: new Date(0) });
    await read();
    body.destroy(new StorageTimeout());
    await new Promise(setImmediate);
    expect(lines).toMatchObject([{ msg: 'dependency failed', operation: 'read', cause: 'timeout' }]);
  });
});
