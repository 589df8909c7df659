import type { CnameRecord } from '../../domain/dns/dns-record';
import { DnsFailure, type DnsZone, type RecordChange, RecordConflict } from './dns-zone.port';

/** What should stand at a name. */
export interface DesiredRecord {
  readonly hostname: string;
  /** Absent: nothing of ours. A record that lives longer will do. */
  readonly wanted?: CnameRecord;
  /** What stands there as far as we know. */
  readonly known?: CnameRecord;
  /** Whether a target can only come from us. */
  readonly isOurs: (target: string) => boolean;
  /** On the clock of `performance.now()`: nothing is sent after it. */
  readonly endsAt: number;
}

/** What stands at the name now, and what the provider calls the change if it is not visible everywhere yet. */
export interface WriteResult {
  readonly now?: CnameRecord;
  readonly changeId?: string;
}

/** The time was over before anything was sent. */
export class WriteNotStarted extends Error {}

interface Entry {
  readonly wish: DesiredRecord;
  readonly signal: AbortSignal;
  readonly done: (written: WriteResult) => void;
  readonly failed: (reason: unknown) => void;
}

const CALL_TIMEOUT_MS = 3_500;
/** Each is a call or two of its own, and a provider has few to give: nobody's change waits behind hundreds. */
const MAX_SINGLE_WRITES = 4;
const MIN_BACKOFF_MS = 150;
const MAX_BACKOFF_MS = 2_000;

/**
 * Brings records of the zone to what is wanted, changes of many callers in one call: while one call is under way, the
 * next batch gathers. A zone makes all of a batch or nothing; a batch with one change that does not fit is halved
 * until that one is alone.
 */
export class ZoneWriter {
  readonly #waiting: Entry[] = [];
  #isBusy = false;
  /** Why nothing gets through at the moment. */
  #standstill: DnsFailure | undefined;

  constructor(private readonly zone: DnsZone) {}

  /**
   * @param signal raised when the caller waits no longer. What was sent by then may happen all the same.
   * @throws {DnsFailure} @throws {WriteNotStarted}
   */
  write(wish: DesiredRecord, signal: AbortSignal): Promise<WriteResult> {
    if (signal.aborted) return Promise.reject(new WriteNotStarted());
    return new Promise((resolve, reject) => {
      const leave = () => {
        const place = this.#waiting.indexOf(entry);
        if (place >= 0) this.#waiting.splice(place, 1);
        const reason = place >= 0 ? new WriteNotStarted() : new DnsFailure('timeout', { cause: signal.reason });
        reject(this.#standstill ?? reason);
      };
      const settle =
        <T>(answer: (value: T) => void) =>
        (value: T) => {
          signal.removeEventListener('abort', leave);
          answer(value);
        };
      const entry: Entry = { wish, signal, done: settle(resolve), failed: settle(reject) };
      signal.addEventListener('abort', leave, { once: true });
      this.#waiting.push(entry);
      void this.#work();
    });
  }

  async #work(): Promise<void> {
    if (this.#isBusy) return;
    this.#isBusy = true;
    // Whoever comes in the same moment still goes with the first batch.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      await this.#together(this.#taken(this.zone.maxBatchSize, canBatch));
      await Promise.all(this.#taken(MAX_SINGLE_WRITES, (wish) => !canBatch(wish)).map((entry) => this.#alone(entry)));
    }
    this.#isBusy = false;
    this.#standstill = undefined;
  }

  /** Takes those that wait longest. */
  #taken(most: number, isMeant: (wish: DesiredRecord) => boolean): Entry[] {
    const taken = this.#waiting.filter(({ wish }) => isMeant(wish)).slice(0, most);
    for (const entry of taken) this.#waiting.splice(this.#waiting.indexOf(entry), 1);
    return taken;
  }

  /** Takes what the ledger knows for true. */
  async #together(batch: readonly Entry[]): Promise<void> {
    try {
      await this.#withBackoff(batch, async (entries) => {
        const { id } = await withTimeout((signal) =>
          this.zone.change(
            entries.map(({ wish }) => changeOf(wish)),
            signal,
          ),
        );
        for (const { wish, done } of entries) done(writeResult(wish.wanted, id));
      });
    } catch (error) {
      if (!(error instanceof RecordConflict)) return batch.forEach(({ failed }) => failed(error));
      const [first] = batch;
      if (batch.length === 1 && first) return this.#alone(first);
      const middle = Math.ceil(batch.length / 2);
      await this.#together(batch.slice(0, middle));
      await this.#together(batch.slice(middle));
    }
  }

  /** Looks first, because the ledger may be wrong. */
  async #alone(entry: Entry): Promise<void> {
    try {
      await this.#withBackoff([entry], async () => entry.done(await this.#reconciled(entry.wish)));
    } catch (error) {
      // Somebody was faster between the look and the change; the next try looks again.
      const isBeaten = error instanceof RecordConflict;
      entry.failed(isBeaten ? new DnsFailure('provider-unavailable', { cause: error }) : error);
    }
  }

  async #reconciled({ hostname, wanted, isOurs }: DesiredRecord): Promise<WriteResult> {
    const present = await withTimeout((signal) => this.zone.find(hostname, signal));
    const ours = present?.cname && isOurs(present.cname.target) ? present.cname : undefined;
    if (present && !ours) {
      if (wanted) throw new DnsFailure('foreign-record');
      // Ours is gone, and what stands there is not ours to remove.
      return {};
    }
    if (wanted?.target === ours?.target && (ours?.ttl ?? 0) >= (wanted?.ttl ?? 0)) return writeResult(ours, undefined);
    const change = { hostname, ...(ours && { before: ours }), ...(wanted && { after: wanted }) };
    const { id } = await withTimeout((signal) => this.zone.change([change], signal));
    return writeResult(wanted, id);
  }

  /** Slows down when the provider asks for it, as long as somebody waits. */
  async #withBackoff(batch: readonly Entry[], work: (entries: readonly Entry[]) => Promise<void>): Promise<void> {
    for (let pauseMs = MIN_BACKOFF_MS; ; pauseMs = Math.min(MAX_BACKOFF_MS, 2 * pauseMs)) {
      const entries = withoutExpired(batch);
      if (entries.length === 0) return;
      try {
        await work(entries);
        this.#standstill = undefined;
        return;
      } catch (error) {
        const isThrottled = error instanceof DnsFailure && error.code === 'throttled';
        this.#standstill = isThrottled ? error : undefined;
        if (!isThrottled) throw error;
        await new Promise((resolve) => setTimeout(resolve, pauseMs * (0.5 + Math.random())));
      }
    }
  }
}

/** Without those whose caller has left; those whose time is over are told. */
function withoutExpired(entries: readonly Entry[]): readonly Entry[] {
  return entries.filter(({ wish, signal, failed }) => {
    if (signal.aborted) return false;
    const isInTime = performance.now() < wish.endsAt;
    if (!isInTime) failed(new WriteNotStarted());
    return isInTime;
  });
}

/** Whether one call says it all: a record is made where none is known, or removed where one is known. */
function canBatch({ known, wanted }: DesiredRecord): boolean {
  return (known === undefined) !== (wanted === undefined);
}

function changeOf({ hostname, known, wanted }: DesiredRecord): RecordChange {
  return { hostname, ...(known && { before: known }), ...(wanted && { after: wanted }) };
}

function writeResult(now: CnameRecord | undefined, changeId: string | undefined): WriteResult {
  return { ...(now && { now }), ...(changeId !== undefined && { changeId }) };
}

/** Whatever becomes of the call itself: nobody behind it waits for ever. */
async function withTimeout<T>(call: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), CALL_TIMEOUT_MS).unref();
  const over = new Promise<never>((_resolve, reject) => {
    limit.signal.addEventListener('abort', () => reject(new DnsFailure('timeout')), { once: true });
  });
  try {
    return await Promise.race([call(limit.signal), over]);
  } finally {
    clearTimeout(timer);
  }
}
