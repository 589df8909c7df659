import { type OutageLog, withOutageLog } from '@homeport/platform/server';
import {
  type ChangeReceipt,
  DnsFailure,
  DnsZone,
  type RecordChange,
  type ZoneRecord,
} from '../../application/dns/dns-zone.port';

const QUERY = 'query';
/** A key may be allowed to read the zone and not to change it. */
const UPDATE = 'update';
/** The provider is fine, and refuses this one record. */
const RECORD_ERRORS: readonly DnsFailure['code'][] = ['invalid-record', 'foreign-record'];

/** Another zone, whose outages are logged with their cause; in requests and in background jobs alike. */
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
    return this.#watched(UPDATE, () => this.zone.change(changes, signal));
  }

  find(hostname: string, signal: AbortSignal): Promise<ZoneRecord | undefined> {
    return this.#watched(QUERY, () => this.zone.find(hostname, signal));
  }

  isInSync(id: string, signal: AbortSignal): Promise<boolean> {
    return this.#watched(QUERY, () => this.zone.isInSync(id, signal));
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
    return this.#watched(QUERY, () => this.zone.ready(signal));
  }

  #watched<T>(name: string, call: () => Promise<T>): Promise<T> {
    return withOutageLog(this.outages, { name, isOutage }, call);
  }
}

function isOutage(error: unknown): boolean {
  return error instanceof DnsFailure && !RECORD_ERRORS.includes(error.code);
}
