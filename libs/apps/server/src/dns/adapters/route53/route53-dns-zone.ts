import {
  type Change,
  ChangeResourceRecordSetsCommand,
  GetChangeCommand,
  ListResourceRecordSetsCommand,
  type ListResourceRecordSetsCommandOutput,
  type ResourceRecordSet,
  Route53Client,
} from '@aws-sdk/client-route-53';
import { TokenBucket, type TokenBucketOptions } from '@homeport/kernel';
import {
  type ChangeReceipt,
  type CnameRecord,
  DnsFailure,
  DnsZone,
  type RecordChange,
  RecordConflict,
  type ZoneRecord,
} from '../../application/dns-zone.port';
import { isBatchRefused, isChangeExpired, route53FailureOf } from './route53-failures';
import { hostnameOf, recordsOf, toRecordSet, zoneRecordOf } from './route53-records';

export interface Route53Options {
  readonly hostedZoneId: string;
  /** Default: AWS. */
  readonly endpoint?: string;
  /** Default: the provider chain of the SDK. */
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
  /** Default: slightly below the limit of an AWS account. */
  readonly rateLimit?: TokenBucketOptions;
}

/** Reads that no request waits for yield to changes. */
type Priority = 'urgent' | 'background';

/** Milliseconds. The caller's signal limits the whole call; these limits end lost connections. */
const TIMEOUTS = { connectionTimeout: 1_000, requestTimeout: 3_500, socketTimeout: 3_500, throwOnRequestTimeout: true };
/** An AWS account allows 5 calls per second for all its clients. A lower rate avoids throttling and its delays. */
const RATE_LIMIT: TokenBucketOptions = { perSecond: 4, burst: 8 };
/** Few calls run concurrently, so more sockets would stay idle. */
const AGENT = { keepAlive: true, maxSockets: 16 };

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
  readonly #client: Route53Client;
  readonly #rateLimiter: TokenBucket;

  constructor(private readonly options: Route53Options) {
    super();
    this.#rateLimiter = new TokenBucket(options.rateLimit ?? RATE_LIMIT);
    this.#client = new Route53Client({
      region: 'us-east-1',
      // The caller repeats a failed change.
      maxAttempts: 1,
      requestHandler: { ...TIMEOUTS, httpAgent: AGENT, httpsAgent: AGENT },
      ...(options.endpoint === undefined ? {} : { endpoint: options.endpoint }),
      ...(options.credentials === undefined ? {} : { credentials: options.credentials }),
    });
  }

  async change(changes: readonly RecordChange[], signal: AbortSignal): Promise<ChangeReceipt> {
    const command = new ChangeResourceRecordSetsCommand({
      HostedZoneId: this.options.hostedZoneId,
      ChangeBatch: { Changes: changes.flatMap(asChanges) },
    });
    try {
      const { ChangeInfo } = await this.#throttled(signal, () => this.#client.send(command, { abortSignal: signal }));
      const { Id, Status } = ChangeInfo ?? {};
      return Id === undefined || Status === 'INSYNC' ? {} : { id: Id };
    } catch (error) {
      if (!signal.aborted && isBatchRefused(error)) throw await this.#reasonFor(changes, error, signal);
      throw this.#failureOf(error, signal);
    }
  }

  async find(hostname: string, signal: AbortSignal): Promise<ZoneRecord | undefined> {
    const from = { StartRecordName: hostname, MaxItems: 1 };
    const { ResourceRecordSets: [first] = [] } = await this.#list(from, signal, 'urgent');
    // The listing starts at this name or the next existing one. A CNAME excludes other records, so one record is
    // enough.
    return first && hostnameOf(first) === hostname ? zoneRecordOf([first]) : undefined;
  }

  async isInSync(id: string, signal: AbortSignal): Promise<boolean> {
    try {
      const command = new GetChangeCommand({ Id: id });
      const getChange = () => this.#client.send(command, { abortSignal: signal });
      const { ChangeInfo } = await this.#throttled(signal, getChange, 'background');
      return ChangeInfo?.Status === 'INSYNC';
    } catch (error) {
      // Route 53 forgets a change some time after it is in sync.
      if (isChangeExpired(error)) return true;
      throw this.#failureOf(error, signal);
    }
  }

  async *records(signal: AbortSignal): AsyncIterable<ZoneRecord> {
    yield* recordsOf(this.#pages(signal));
  }

  async ready(signal: AbortSignal): Promise<void> {
    await this.#list({ MaxItems: 1 }, signal);
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
      const page = await this.#list(from, signal);
      yield page.ResourceRecordSets ?? [];
      if (!page.IsTruncated) return;
      from = {
        StartRecordName: page.NextRecordName,
        StartRecordType: page.NextRecordType,
        StartRecordIdentifier: page.NextRecordIdentifier,
      };
    }
  }

  async #list(
    from: { StartRecordName?: string; MaxItems?: number },
    signal: AbortSignal,
    priority: Priority = 'background',
  ): Promise<ListResourceRecordSetsCommandOutput> {
    const command = new ListResourceRecordSetsCommand({ HostedZoneId: this.options.hostedZoneId, ...from });
    try {
      return await this.#throttled(signal, () => this.#client.send(command, { abortSignal: signal }), priority);
    } catch (error) {
      throw this.#failureOf(error, signal);
    }
  }

  async #throttled<T>(signal: AbortSignal, send: () => Promise<T>, priority: Priority = 'urgent'): Promise<T> {
    await this.#rateLimiter.acquire({ signal, isHighPriority: priority === 'urgent' });
    return send();
  }

  /** Other clients share the account's limit, so throttling empties the token bucket. */
  #failureOf(error: unknown, signal: AbortSignal): DnsFailure {
    const failure = route53FailureOf(error, signal);
    if (failure.code === 'throttled') this.#rateLimiter.drain();
    return failure;
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
