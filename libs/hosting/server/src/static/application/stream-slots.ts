import { CodedFailure, type OutageLog } from '@homeport/platform/server/observability';
import { BlobStorageUnavailable } from '@homeport/platform/server/blobs';

/** Well below the number of connections to storage (512), so that loads into memory always get one. */
const MAX_STREAMS = 384;
/** The limit is per app, because behind a distribution all visitors share a few addresses. */
const MAX_STREAMS_PER_APP = MAX_STREAMS / 4;
const OPERATION = 'stream';
/** When all slots are in use, a reader that has stalled this long loses its slot to a new one. */
const STALLED_MS = 5_000;

/** The slot of a visitor to whom a file is streamed. */
export class StreamSlot {
  readonly #end = new AbortController();
  /** When the reader stalled; undefined while bytes flow. */
  stalledSince: number | undefined;

  constructor(
    readonly appId: string,
    /** Releases the slot; can be repeated. */
    readonly release: () => void,
  ) {}

  /** Aborted when another visitor gets the slot. */
  get signal(): AbortSignal {
    return this.#end.signal;
  }

  end(): void {
    this.#end.abort();
    this.release();
  }
}

/**
 * Limits how many files are streamed from storage at once, in total and for one app. Unlike a `Semaphore`, it ends
 * stalled streams instead of letting new ones wait.
 */
export class StreamSlots {
  readonly #taken = new Set<StreamSlot>();

  /** @param outages logs rejected requests. */
  constructor(
    private readonly outages?: OutageLog,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /**
   * Acquires a slot. When none is free, the reader that has stalled longest loses its slot.
   * @throws {BlobStorageUnavailable} when no reader has stalled.
   */
  acquire(appId: string): StreamSlot {
    const own = [...this.#taken].filter((slot) => slot.appId === appId);
    const competitors =
      own.length >= MAX_STREAMS_PER_APP ? own : this.#taken.size >= MAX_STREAMS ? [...this.#taken] : undefined;
    if (competitors && !this.#endStalled(competitors)) {
      throw this.#rejection(appId);
    }
    this.outages?.succeeded(OPERATION);
    const slot: StreamSlot = new StreamSlot(appId, () => this.#taken.delete(slot));
    this.#taken.add(slot);
    return slot;
  }

  #rejection(appId: string): BlobStorageUnavailable {
    const text = `Too many files of app ${appId}, or of all apps, are streamed at once.`;
    const error = new BlobStorageUnavailable({ cause: new CodedFailure('TOO_MANY_STREAMS', text) });
    this.outages?.failed(error, OPERATION);
    return error;
  }

  #endStalled(slots: readonly StreamSlot[]): boolean {
    const before = this.now() - STALLED_MS;
    const stalled = slots.filter(({ stalledSince = Infinity }) => stalledSince <= before);
    const [longest] = stalled.toSorted((a, b) => (a.stalledSince ?? 0) - (b.stalledSince ?? 0));
    longest?.end();
    return longest !== undefined;
  }
}
