import { CodedFailure, type OutageLog } from '@homeport/platform/server';
import { BlobStorageUnavailable } from '../../domain/blobs/blobs.errors';

/** Well below the connections to storage (512): what is loaded into memory always finds one. */
const MAX_STREAMS = 384;
/** Behind a distribution all visitors come from a few addresses, so it is apps that are kept from taking all. */
const MAX_STREAMS_PER_APP = MAX_STREAMS / 4;
const OPERATION = 'stream';
/** A reader that has taken nothing for so long loses its place to a new one when all are taken. */
const STALLED_MS = 5_000;

/** A visitor's place, for as long as a file is streamed to them. */
export class StreamSlot {
  readonly #end = new AbortController();
  /** Since when the visitor takes nothing; undefined while bytes flow. */
  stalledSince: number | undefined;

  constructor(
    readonly appId: string,
    /** Frees the place; repeating is harmless. */
    readonly release: () => void,
  ) {}

  /** Aborted when another visitor is given the place. */
  get signal(): AbortSignal {
    return this.#end.signal;
  }

  end(): void {
    this.#end.abort();
    this.release();
  }
}

/** Limits how many files are streamed from storage at once, in all and for one app. */
export class StreamSlots {
  readonly #taken = new Set<StreamSlot>();

  /** @param outages told when requests are rejected because all places are taken. */
  constructor(
    private readonly outages?: OutageLog,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /**
   * Takes a place. When none is free, the reader that has stalled for longest loses its own.
   * @throws {BlobStorageUnavailable} when all are taken by readers that take bytes.
   */
  acquire(appId: string): StreamSlot {
    const own = [...this.#taken].filter((place) => place.appId === appId);
    const crowd =
      own.length >= MAX_STREAMS_PER_APP ? own : this.#taken.size >= MAX_STREAMS ? [...this.#taken] : undefined;
    if (crowd && !this.#endStalled(crowd)) {
      throw this.#rejection(appId);
    }
    this.outages?.succeeded(OPERATION);
    const place: StreamSlot = new StreamSlot(appId, () => this.#taken.delete(place));
    this.#taken.add(place);
    return place;
  }

  #rejection(appId: string): BlobStorageUnavailable {
    const text = `Too many files of app ${appId}, or of all apps, are streamed.`;
    const error = new BlobStorageUnavailable({ cause: new CodedFailure('TOO_MANY_STREAMS', text) });
    this.outages?.failed(error, OPERATION);
    return error;
  }

  #endStalled(places: readonly StreamSlot[]): boolean {
    const before = this.now() - STALLED_MS;
    const stalled = places.filter(({ stalledSince = Infinity }) => stalledSince <= before);
    const [longest] = stalled.toSorted((a, b) => (a.stalledSince ?? 0) - (b.stalledSince ?? 0));
    longest?.end();
    return longest !== undefined;
  }
}
