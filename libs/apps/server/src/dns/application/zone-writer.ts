import type { CnameRecord } from '../domain/dns-record';
import { type ChangeReceipt, DnsFailure, type DnsZone, type RecordChange, RecordConflict } from './dns-zone.port';

/** The desired record at a name. */
export interface DesiredRecord {
  readonly hostname: string;
  /** Absent when a managed record should be removed. A record with a longer TTL is accepted. */
  readonly desired?: CnameRecord;
  /** The last known record. */
  readonly known?: CnameRecord;
  /** Whether a record with this target is managed by Homeport. */
  readonly isManaged: (target: string) => boolean;
  /** The latest time to send a change, on the clock of `performance.now()`. */
  readonly sendDeadline: number;
}

/** The present record, and the provider's id of a change that is not visible everywhere yet. */
export interface WriteResult {
  readonly record?: CnameRecord;
  readonly changeId?: string;
}

/** The deadline or an abort came before a change was sent. */
export class WriteNotStarted extends Error {}

interface QueuedWrite {
  readonly record: DesiredRecord;
  readonly signal: AbortSignal;
  /** Whether a change was sent and its outcome is not known. */
  isSent: boolean;
  readonly resolve: (written: WriteResult) => void;
  readonly reject: (reason: unknown) => void;
}

const CALL_TIMEOUT_MS = 3_500;
/**
 * A single write takes one or two calls, and providers limit calls: batches must not wait behind hundreds of them. To
 * halve a batch of this size takes as many calls.
 */
const MAX_SINGLE_WRITES = 4;
const MIN_BACKOFF_MS = 150;
const MAX_BACKOFF_MS = 2_000;

/**
 * Brings records of the zone to the desired state. Changes of many callers go into one call: while a call is running,
 * the next batch is collected. A zone executes a batch completely or not at all, so a batch with a conflicting change
 * is halved until few changes are left, which are written one by one.
 */
export class ZoneWriter {
  readonly #waiting: QueuedWrite[] = [];
  #isBusy = false;
  /** The throttling error while the provider rejects calls. */
  #throttling: DnsFailure | undefined;

  constructor(private readonly zone: DnsZone) {}

  /**
   * Writes a record.
   * @param signal aborted when the caller stops waiting. A change that was sent before may still be executed.
   * @throws {DnsFailure} @throws {WriteNotStarted}
   */
  write(record: DesiredRecord, signal: AbortSignal): Promise<WriteResult> {
    if (signal.aborted) return Promise.reject(new WriteNotStarted());
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        const index = this.#waiting.indexOf(entry);
        if (index >= 0) this.#waiting.splice(index, 1);
        const notSent = this.#throttling ?? new WriteNotStarted();
        reject(entry.isSent ? new DnsFailure('timeout', { cause: signal.reason }) : notSent);
      };
      const unsubscribeThen =
        <T>(answer: (value: T) => void) =>
        (value: T) => {
          signal.removeEventListener('abort', onAbort);
          answer(value);
        };
      const entry: QueuedWrite = {
        record,
        signal,
        isSent: false,
        resolve: unsubscribeThen(resolve),
        reject: unsubscribeThen(reject),
      };
      signal.addEventListener('abort', onAbort, { once: true });
      this.#waiting.push(entry);
      void this.#work();
    });
  }

  async #work(): Promise<void> {
    if (this.#isBusy) return;
    this.#isBusy = true;
    // Callers in the same tick still join the first batch.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      await this.#writeBatch(this.#take(this.zone.maxBatchSize, canBatch));
      await this.#writeSingles(this.#take(MAX_SINGLE_WRITES, (record) => !canBatch(record)));
    }
    this.#isBusy = false;
    this.#throttling = undefined;
  }

  /** Removes the longest waiting entries from the queue. */
  #take(limit: number, matches: (record: DesiredRecord) => boolean): QueuedWrite[] {
    const taken = this.#waiting.filter(({ record }) => matches(record)).slice(0, limit);
    for (const entry of taken) this.#waiting.splice(this.#waiting.indexOf(entry), 1);
    return taken;
  }

  /** Writes a batch on the assumption that the ledger is right. */
  async #writeBatch(batch: readonly QueuedWrite[]): Promise<void> {
    try {
      await this.#withBackoff(batch, async (entries) => {
        const { id } = await this.#send(
          entries,
          entries.map(({ record }) => changeOf(record)),
        );
        for (const { record, resolve } of entries) resolve(writeResult(record.desired, id));
      });
    } catch (error) {
      if (!(error instanceof RecordConflict)) return batch.forEach(({ reject }) => reject(error));
      if (batch.length <= MAX_SINGLE_WRITES) return this.#writeSingles(batch);
      const middle = Math.ceil(batch.length / 2);
      await this.#writeBatch(batch.slice(0, middle));
      await this.#writeBatch(batch.slice(middle));
    }
  }

  async #writeSingles(entries: readonly QueuedWrite[]): Promise<void> {
    await Promise.all(entries.map((entry) => this.#writeSingle(entry)));
  }

  /** Reads the record first, because the ledger may be wrong. */
  async #writeSingle(entry: QueuedWrite): Promise<void> {
    try {
      await this.#withBackoff([entry], async () => entry.resolve(await this.#readAndWrite(entry)));
    } catch (error) {
      // Another writer changed the record between the check and the change. The next attempt checks again.
      const isConflict = error instanceof RecordConflict;
      entry.reject(isConflict ? new DnsFailure('provider-unavailable', { cause: error }) : error);
    }
  }

  async #readAndWrite(entry: QueuedWrite): Promise<WriteResult> {
    const { hostname, desired, isManaged } = entry.record;
    const present = await withTimeout((signal) => this.zone.find(hostname, signal));
    const managed = present?.cname && isManaged(present.cname.target) ? present.cname : undefined;
    if (present && !managed) {
      if (desired) throw new DnsFailure('foreign-record');
      // The managed record does not exist any more, and foreign records must not be removed.
      return {};
    }
    if (desired?.target === managed?.target && (managed?.ttl ?? 0) >= (desired?.ttl ?? 0))
      return writeResult(managed, undefined);
    const change = { hostname, ...(managed && { before: managed }), ...(desired && { after: desired }) };
    // The caller may have stopped waiting meanwhile, and another one may hold the lease of the record.
    if (withoutExpired([entry]).length === 0) throw new WriteNotStarted();
    const { id } = await this.#send([entry], [change]);
    return writeResult(desired, id);
  }

  async #send(entries: readonly QueuedWrite[], changes: readonly RecordChange[]): Promise<ChangeReceipt> {
    for (const entry of entries) entry.isSent = true;
    try {
      return await withTimeout((signal) => this.zone.change(changes, signal));
    } finally {
      for (const entry of entries) entry.isSent = false;
    }
  }

  /** Backs off while the provider throttles, as long as callers wait. */
  async #withBackoff(
    batch: readonly QueuedWrite[],
    work: (entries: readonly QueuedWrite[]) => Promise<void>,
  ): Promise<void> {
    for (let pauseMs = MIN_BACKOFF_MS; ; pauseMs = Math.min(MAX_BACKOFF_MS, 2 * pauseMs)) {
      const entries = withoutExpired(batch);
      if (entries.length === 0) return;
      try {
        await work(entries);
        this.#throttling = undefined;
        return;
      } catch (error) {
        const isThrottled = error instanceof DnsFailure && error.code === 'throttled';
        this.#throttling = isThrottled ? error : undefined;
        if (!isThrottled) throw error;
        await new Promise((resolve) => setTimeout(resolve, pauseMs * (0.5 + Math.random())));
      }
    }
  }
}

/** Drops entries of aborted callers, and rejects expired ones. */
function withoutExpired(entries: readonly QueuedWrite[]): readonly QueuedWrite[] {
  return entries.filter(({ record, signal, reject }) => {
    if (signal.aborted) return false;
    const isInTime = performance.now() < record.sendDeadline;
    if (!isInTime) reject(new WriteNotStarted());
    return isInTime;
  });
}

/** Whether one conditional change is enough: to create a record when none is known, or to remove a known one. */
function canBatch({ known, desired }: DesiredRecord): boolean {
  return (known === undefined) !== (desired === undefined);
}

function changeOf({ hostname, known, desired }: DesiredRecord): RecordChange {
  return { hostname, ...(known && { before: known }), ...(desired && { after: desired }) };
}

function writeResult(record: CnameRecord | undefined, changeId: string | undefined): WriteResult {
  return { ...(record && { record }), ...(changeId !== undefined && { changeId }) };
}

/** Limits the time of a call, also of one that ignores its signal, so that later calls do not wait indefinitely. */
async function withTimeout<T>(call: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), CALL_TIMEOUT_MS).unref();
  const timedOut = new Promise<never>((_resolve, reject) => {
    timeout.signal.addEventListener('abort', () => reject(new DnsFailure('timeout')), { once: true });
  });
  try {
    return await Promise.race([call(timeout.signal), timedOut]);
  } finally {
    clearTimeout(timer);
  }
}
