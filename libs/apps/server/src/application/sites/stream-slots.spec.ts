import { beforeEach, describe, expect, it } from '@jest/globals';
import { BlobStorageUnavailable } from '../../domain/blobs/blobs.errors';
import { StreamSlots } from './stream-slots';

let now: number;
let places: StreamSlots;
const taken = (appId: string, count: number) => Array.from({ length: count }, () => places.acquire(appId));

beforeEach(() => {
  now = 0;
  places = new StreamSlots(undefined, () => now);
});

describe('StreamSlots', () => {
  it('has 384 places, of which one app may have 96', () => {
    for (const app of ['a', 'b', 'c', 'd']) {
      taken(app, 96);
      expect(() => places.acquire(app)).toThrow(BlobStorageUnavailable);
    }
    expect(() => places.acquire('e')).toThrow(BlobStorageUnavailable);
  });

  it('gives a place that is released to the next visitor', () => {
    const [first] = taken('a', 96);
    first?.release();
    first?.release();
    places.acquire('a');
    expect(() => places.acquire('a')).toThrow(BlobStorageUnavailable);
  });

  it('ends the reader that has stalled for longest when all places are taken', () => {
    const readers = ['a', 'b', 'c', 'd'].flatMap((app) => taken(app, 96));
    readers[7]!.stalledSince = 1;
    readers[200]!.stalledSince = 0;
    now = 4_999;
    expect(() => places.acquire('e')).toThrow(BlobStorageUnavailable);
    now = 5_000;
    places.acquire('e');
    expect(readers.filter(({ signal }) => signal.aborted)).toEqual([readers[200]]);
    expect(() => places.acquire('e')).toThrow(BlobStorageUnavailable);
  });

  it('ends a reader of the same app when that has its share', () => {
    const [other] = taken('b', 1);
    const [own] = taken('a', 96);
    own!.stalledSince = 2;
    other!.stalledSince = 1;
    now = 10_000;
    places.acquire('a');
    expect([own!.signal.aborted, other!.signal.aborted]).toEqual([true, false]);
  });
});
