import {
  type Change,
  ChangeResourceRecordSetsCommand,
  GetChangeCommand,
  ListResourceRecordSetsCommand,
  type ListResourceRecordSetsCommandOutput,
  type ResourceRecordSet,
  Route53Client,
} from '@aws-sdk/client-route-53';
import {
  type ChangeReceipt,
  type CnameRecord,
  DnsFailure,
  DnsZone,
  type RecordChange,
  RecordConflict,
  type ZoneRecord,
} from '../../application/dns/dns-zone.port';
import { PriorityTokenBucket, type TokenBucketOptions } from './priority-token-bucket';
import { isBatchRefused, isChangeExpired, route53FailureOf } from './route53-failures';
import { hostnameOf, recordsOf, toRecordSet, zoneRecordOf } from './route53-records';

export interface Route53Options {
  readonly hostedZoneId: string;
  /** Absent for AWS itself. */
  readonly endpoint?: string;
  /** Absent: the SDK's own provider chain finds them. */
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
  /** How fast it may be asked. Absent: a little slower than an account of Amazon's may. */
  readonly rateLimit?: TokenBucketOptions;
}

/** Looks that nobody waits for let changes pass. */
type Priority = 'urgent' | 'patient';

/** Milliseconds. A caller's own patience is its signal; these end what the network has lost. */
const TIMEOUTS = { connectionTimeout: 1_000, requestTimeout: 3_500, socketTimeout: 3_500, throwOnRequestTimeout: true };
/** An account has 5 calls a second, for all that use it. Who keeps below it is not refused, and loses no time waiting. */
const RATE_LIMIT: TokenBucketOptions = { perSecond: 4, burst: 8 };
/** Callers are few, and come one after the other: more sockets would only wait there. */
const AGENT = { keepAlive: true, maxSockets: 16 };

/**
 * A hosted zone in Amazon Route 53. Its own rules make a batch a compare-and-swap: CREATE fails when a record is there,
 * DELETE unless it is exactly the one named, and a batch is done as a whole or not at all. Which record stood in the way
 * is never read from the error's text, which comes back empty from the SDK.
 */
export class Route53DnsZone extends DnsZone {
  /**
   * Route 53 takes 1,000 records and 32,000 characters of values in a batch, and a replacement is two of each. Where
   * targets are so long that it is too much, the batch is refused like one in conflict, and gets smaller like one.
   */
  readonly maxBatchSize = 400;
  readonly #client: Route53Client;
  readonly #pace: PriorityTokenBucket;

  constructor(private readonly options: Route53Options) {
    super();
    this.#pace = new PriorityTokenBucket(options.rateLimit ?? RATE_LIMIT);
    this.#client = new Route53Client({
      region: 'us-east-1',
      // Whoever asked for the change repeats it.
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
      const { ChangeInfo } = await this.#inTurn(signal, () => this.#client.send(command, { abortSignal: signal }));
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
    // The listing begins here or at the next name there is. A CNAME is alone at its name, so one record tells.
    return first && hostnameOf(first) === hostname ? zoneRecordOf([first]) : undefined;
  }

  async isInSync(id: string, signal: AbortSignal): Promise<boolean> {
    try {
      const command = new GetChangeCommand({ Id: id });
      const look = () => this.#client.send(command, { abortSignal: signal });
      const { ChangeInfo } = await this.#inTurn(signal, look, 'patient');
      return ChangeInfo?.Status === 'INSYNC';
    } catch (error) {
      // Route 53 forgets changes some time after they are everywhere.
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
   * One refused change is either in conflict or one that Route 53 will never take, and the record tells which. Of
   * several it is not asked: that could be hundreds of calls, and whoever narrows them down ends at one.
   */
  async #reasonFor(changes: readonly RecordChange[], cause: unknown, signal: AbortSignal): Promise<Error> {
    const [change, ...others] = changes;
    if (!change || others.length > 0) return new RecordConflict({ cause });
    const present = await this.find(change.hostname, signal);
    const isAsTaken =
      isSame(present?.cname, change.before) && (present === undefined) === (change.before === undefined);
    return isAsTaken ? new DnsFailure('invalid-record', { cause }) : new RecordConflict({ cause });
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
    haste: Priority = 'patient',
  ): Promise<ListResourceRecordSetsCommandOutput> {
    const command = new ListResourceRecordSetsCommand({ HostedZoneId: this.options.hostedZoneId, ...from });
    try {
      return await this.#inTurn(signal, () => this.#client.send(command, { abortSignal: signal }), haste);
    } catch (error) {
      throw this.#failureOf(error, signal);
    }
  }

  async #inTurn<T>(signal: AbortSignal, send: () => Promise<T>, haste: Priority = 'urgent'): Promise<T> {
    await this.#pace.acquire(haste === 'urgent', signal);
    return send();
  }

  /** Who is refused shares the account with others. */
  #failureOf(error: unknown, signal: AbortSignal): DnsFailure {
    const failure = route53FailureOf(error, signal);
    if (failure.code === 'throttled') this.#pace.drain();
    return failure;
  }
}

/** A deletion stands before the creation at its name, because a batch is judged in its order. */
function asChanges({ hostname, before, after }: RecordChange): Change[] {
  return [
    ...(before ? [{ Action: 'DELETE', ResourceRecordSet: toRecordSet(hostname, before) } as const] : []),
    ...(after ? [{ Action: 'CREATE', ResourceRecordSet: toRecordSet(hostname, after) } as const] : []),
  ];
}

function isSame(one: CnameRecord | undefined, other: CnameRecord | undefined): boolean {
  return one?.target === other?.target && one?.ttl === other?.ttl;
}
