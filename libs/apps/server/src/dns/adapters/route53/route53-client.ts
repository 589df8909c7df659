import {
  type Change,
  ChangeResourceRecordSetsCommand,
  GetChangeCommand,
  type ListResourceRecordSetsCommandInput,
  ListResourceRecordSetsCommand,
  type ListResourceRecordSetsCommandOutput,
  Route53Client,
} from '@aws-sdk/client-route-53';
import { TokenBucket, type TokenBucketOptions } from '@homeport/kernel';
import type { ChangeReceipt, DnsFailure } from '../../application/dns-zone.port';
import { isBatchRefused, isChangeExpired, route53FailureOf } from './route53-failures';

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
export type Priority = 'urgent' | 'background';

/** Milliseconds. The caller's signal limits the whole call; these limits end lost connections. */
const TIMEOUTS = { connectionTimeout: 1_000, requestTimeout: 3_500, socketTimeout: 3_500, throwOnRequestTimeout: true };
/** An AWS account allows 5 calls per second for all its clients. A lower rate avoids throttling and its delays. */
const RATE_LIMIT: TokenBucketOptions = { perSecond: 4, burst: 8 };
/** Few calls run concurrently, so more sockets would stay idle. */
const AGENT = { keepAlive: true, maxSockets: 16 };

/** Route 53 rejected a batch because of the records of the zone, and changed nothing. */
export class BatchRefused extends Error {}

/** Calls Route 53 for one hosted zone, within the rate limit. Every method throws DnsFailure. */
export class HostedZoneClient {
  readonly #client: Route53Client;
  readonly #rateLimiter: TokenBucket;

  constructor(private readonly options: Route53Options) {
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

  /** Applies all changes in order, or none. @throws {BatchRefused} */
  async change(changes: Change[], signal: AbortSignal): Promise<ChangeReceipt> {
    const command = new ChangeResourceRecordSetsCommand({
      HostedZoneId: this.options.hostedZoneId,
      ChangeBatch: { Changes: changes },
    });
    try {
      const { ChangeInfo } = await this.#throttled(signal, () => this.#client.send(command, { abortSignal: signal }));
      const { Id, Status } = ChangeInfo ?? {};
      return Id === undefined || Status === 'INSYNC' ? {} : { id: Id };
    } catch (error) {
      if (!signal.aborted && isBatchRefused(error)) throw new BatchRefused('', { cause: error });
      throw this.#failureOf(error, signal);
    }
  }

  /** Whether a change is visible on every name server of the zone. */
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

  async list(
    from: Omit<ListResourceRecordSetsCommandInput, 'HostedZoneId'>,
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
