import type { Change, ResourceRecordSet } from '@aws-sdk/client-route-53';
import {
  type ChangeReceipt,
  type CnameRecord,
  DnsFailure,
  DnsZone,
  type RecordChange,
  RecordConflict,
  type ZoneRecord,
} from '../../application/dns-zone.port';
import { BatchRefused, type HostedZoneClient } from './route53-client';
import { hostnameOf, recordsOf, toRecordSet, zoneRecordOf } from './route53-records';

/**
 * A hosted zone in Amazon Route 53. Its rules make a batch a compare-and-swap: CREATE fails when the record exists,
 * DELETE fails unless it matches exactly, and a batch is applied completely or not at all. The conflicting record is
 * not read from the error message, because the SDK may return that empty.
 */
export class Route53DnsZone extends DnsZone {
  /**
   * Route 53 accepts 1,000 records and 32,000 characters of values in a batch, and a replacement counts as two of each.
   * With very long targets the batch is rejected like a conflict, so the caller splits it.
   */
  readonly maxBatchSize = 400;

  /** @param client shared by all that change the zone, because they share the rate limit. */
  constructor(private readonly client: HostedZoneClient) {
    super();
  }

  async change(changes: readonly RecordChange[], signal: AbortSignal): Promise<ChangeReceipt> {
    try {
      return await this.client.change(changes.flatMap(asChanges), signal);
    } catch (error) {
      throw error instanceof BatchRefused ? await this.#reasonFor(changes, error.cause, signal) : error;
    }
  }

  async find(hostname: string, signal: AbortSignal): Promise<ZoneRecord | undefined> {
    const from = { StartRecordName: hostname, MaxItems: 1 };
    const { ResourceRecordSets: [first] = [] } = await this.client.list(from, signal, 'urgent');
    // The listing starts at this name or the next existing one. A CNAME excludes other records, so one record is
    // enough.
    return first && hostnameOf(first) === hostname ? zoneRecordOf([first]) : undefined;
  }

  isInSync(id: string, signal: AbortSignal): Promise<boolean> {
    return this.client.isInSync(id, signal);
  }

  async *records(signal: AbortSignal): AsyncIterable<ZoneRecord> {
    yield* recordsOf(this.#pages(signal));
  }

  async ready(signal: AbortSignal): Promise<void> {
    await this.client.list({ MaxItems: 1 }, signal);
  }

  /**
   * Reads the record to tell a conflict from an invalid change. It does so only for a single change: for a batch, that
   * could be hundreds of calls, and the caller splits the batch anyway.
   */
  async #reasonFor(changes: readonly RecordChange[], cause: unknown, signal: AbortSignal): Promise<Error> {
    const [change, ...others] = changes;
    if (!change || others.length > 0) return new RecordConflict({ cause });
    const present = await this.find(change.hostname, signal);
    const isAsExpected =
      isSame(present?.cname, change.before) && (present === undefined) === (change.before === undefined);
    return isAsExpected ? new DnsFailure('invalid-record', { cause }) : new RecordConflict({ cause });
  }

  async *#pages(signal: AbortSignal): AsyncIterable<readonly ResourceRecordSet[]> {
    let from = {};
    for (;;) {
      const page = await this.client.list(from, signal);
      yield page.ResourceRecordSets ?? [];
      if (!page.IsTruncated) return;
      from = {
        StartRecordName: page.NextRecordName,
        StartRecordType: page.NextRecordType,
        StartRecordIdentifier: page.NextRecordIdentifier,
      };
    }
  }
}

/** The deletion precedes the creation, because Route 53 evaluates a batch in order. */
function asChanges({ hostname, before, after }: RecordChange): Change[] {
  return [
    ...(before ? [{ Action: 'DELETE', ResourceRecordSet: toRecordSet(hostname, before) } as const] : []),
    ...(after ? [{ Action: 'CREATE', ResourceRecordSet: toRecordSet(hostname, after) } as const] : []),
  ];
}

function isSame(one: CnameRecord | undefined, other: CnameRecord | undefined): boolean {
  return one?.target === other?.target && one?.ttl === other?.ttl;
}
