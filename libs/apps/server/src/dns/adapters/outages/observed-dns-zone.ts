import { type OutageLog, withOutageLog } from '@homeport/platform/server/observability';
import {
  type ChangeReceipt,
  DnsFailure,
  DnsZone,
  type RecordChange,
  type ZoneRecord,
} from '../../application/dns-zone.port';

const QUERY = 'query';
/** Logged apart from queries, because a key may be read-only. */
const UPDATE = 'update';
/** The provider works, but rejects this record. */
const RECORD_ERRORS: readonly DnsFailure['code'][] = ['invalid-record', 'foreign-record'];

/** Logs the outages of another DNS zone with their cause, for requests and background jobs. */
export class ObservedDnsZone extends DnsZone {
  readonly maxBatchSize: number;

  constructor(
    private readonly zone: DnsZone,
    private readonly outages: OutageLog,
  ) {
    super();
    this.maxBatchSize = zone.maxBatchSize;
  }

  change(changes: readonly RecordChange[], signal: AbortSignal): Promise<ChangeReceipt> {
    return this.#observed(UPDATE, () => this.zone.change(changes, signal));
  }

  find(hostname: string, signal: AbortSignal): Promise<ZoneRecord | undefined> {
    return this.#observed(QUERY, () => this.zone.find(hostname, signal));
  }

  isInSync(id: string, signal: AbortSignal): Promise<boolean> {
    return this.#observed(QUERY, () => this.zone.isInSync(id, signal));
  }

  async *records(signal: AbortSignal): AsyncIterable<ZoneRecord> {
    try {
      yield* this.zone.records(signal);
    } catch (error) {
      if (isOutage(error)) this.outages.failed(error, QUERY);
      throw error;
    }
    this.outages.succeeded(QUERY);
  }

  ready(signal: AbortSignal): Promise<void> {
    return this.#observed(QUERY, () => this.zone.ready(signal));
  }

  #observed<T>(name: string, call: () => Promise<T>): Promise<T> {
    return withOutageLog(this.outages, { name, isOutage }, call);
  }
}

function isOutage(error: unknown): boolean {
  return error instanceof DnsFailure && !RECORD_ERRORS.includes(error.code);
}
