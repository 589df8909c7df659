import { beforeEach, describe, expect, it } from '@jest/globals';
import { BlobStorageUnavailable } from '@homeport/platform/server/blobs';
import { StreamSlots } from './stream-slots';

let now: number;
let slots: StreamSlots;
const taken = (appId: string, count: number) => Array.from({ length: count }, () => slots.acquire(appId));

beforeEach(() => {
  now = 0;
  slots = new StreamSlots(undefined, () => now);
});

describe('StreamSlots', () => {
  it('has 384 slots, and 96 for one app', () => {
    for (const app of ['a', 'b', 'c', 'd']) {
      taken(app, 96);
      expect(() => slots.acquire(app)).toThrow(BlobStorageUnavailable);
    }
    expect(() => slots.acquire('e')).toThrow(BlobStorageUnavailable);
  });

  it('reuses a released slot', () => {
    const [first] = taken('a', 96);
    first?.release();
    first?.release();
    slots.acquire('a');
    expect(() => slots.acquire('a')).toThrow(BlobStorageUnavailable);
  });

  it('ends the reader that has stalled longest when all slots are in use', () => {
    const readers = ['a', 'b', 'c', 'd'].flatMap((app) => taken(app, 96));
    readers[7]!.stalledSince = 1;
    readers[200]!.stalledSince = 0;
    now = 4_999;
    expect(() => slots.acquire('e')).toThrow(BlobStorageUnavailable);
    now = 5_000;
    slots.acquire('e');
    expect(readers.filter(({ signal }) => signal.aborted)).toEqual([readers[200]]);
    expect(() => slots.acquire('e')).toThrow(BlobStorageUnavailable);
  });

  it('ends a reader of the same app when the app has used its share', () => {
    const [other] = taken('b', 1);
    const [own] = taken('a', 96);
    own!.stalledSince = 2;
    other!.stalledSince = 1;
    now = 10_000;
    slots.acquire('a');
    expect([own!.signal.aborted, other!.signal.aborted]).toEqual([true, false]);
  });
});
