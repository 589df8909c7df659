import {
  type ChangeAction,
  ChangeResourceRecordSetsCommand,
  ListResourceRecordSetsCommand,
  type ResourceRecordSet,
  Route53Client,
  Route53ServiceException,
} from '@aws-sdk/client-route-53';
import { DnsFailure, DnsZone } from '../../application/dns-zone.port';

export interface Route53Options {
  readonly hostedZoneId: string;
  /** Absent for AWS itself. */
  readonly endpoint?: string;
  /** Absent: the SDK's own provider chain finds them. */
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
}

const RECORD_TTL_SECONDS = 60;

const CODES: Readonly<Record<string, DnsFailure['code']>> = {
  Throttling: 'throttled',
  ThrottlingException: 'throttled',
  PriorRequestNotComplete: 'throttled',
  NoSuchHostedZone: 'zone-missing',
  AccessDenied: 'access-denied',
  AccessDeniedException: 'access-denied',
  InvalidClientTokenId: 'access-denied',
  SignatureDoesNotMatch: 'access-denied',
  CredentialsProviderError: 'access-denied',
};

/**
 * A hosted zone in Amazon Route 53. Changes are conditional by Route 53's own rules: CREATE fails when a record is
 * there, DELETE unless it is exactly the one named. Which of the two it was is decided by reading the record again,
 * never by the error's text, which comes back empty from the SDK.
 */
export class Route53DnsZone extends DnsZone {
  readonly #client: Route53Client;

  constructor(private readonly options: Route53Options) {
    super();
    this.#client = new Route53Client({
      region: 'us-east-1',
      // Tries are repeated in one place, by whoever asked for the record.
      maxAttempts: 1,
      requestHandler: { connectionTimeout: 1_000, requestTimeout: 3_000, throwOnRequestTimeout: true },
      ...(options.endpoint === undefined ? {} : { endpoint: options.endpoint }),
      ...(options.credentials === undefined ? {} : { credentials: options.credentials }),
    });
  }

  async point(hostname: string, target: string, signal: AbortSignal): Promise<void> {
    const record: ResourceRecordSet = {
      Name: hostname,
      Type: 'CNAME',
      TTL: RECORD_TTL_SECONDS,
      ResourceRecords: [{ Value: target }],
    };
    if (await this.#change('CREATE', record, signal)) return;
    const present = await this.#find(hostname, signal);
    if (present === undefined) throw new DnsFailure('invalid-record');
    if (targetOf(present) !== target) throw new DnsFailure('foreign-record');
  }

  async remove(hostname: string, target: string, signal: AbortSignal): Promise<void> {
    const present = await this.#find(hostname, signal);
    if (present === undefined) return;
    if (targetOf(present) !== target) throw new DnsFailure('foreign-record');
    if (await this.#change('DELETE', present, signal)) return;
    // Somebody changed the record between the two calls.
    if ((await this.#find(hostname, signal)) !== undefined) throw new DnsFailure('foreign-record');
  }

  async ready(signal: AbortSignal): Promise<void> {
    await this.#list({}, signal);
  }

  /** @returns whether the change was made; false when the zone's content does not allow it. */
  async #change(Action: ChangeAction, ResourceRecordSet: ResourceRecordSet, signal: AbortSignal): Promise<boolean> {
    try {
      await this.#client.send(
        new ChangeResourceRecordSetsCommand({
          HostedZoneId: this.options.hostedZoneId,
          ChangeBatch: { Changes: [{ Action, ResourceRecordSet }] },
        }),
        { abortSignal: signal },
      );
      return true;
    } catch (error) {
      if (error instanceof Route53ServiceException && error.name === 'InvalidChangeBatch') return false;
      throw failureOf(error, signal);
    }
  }

  /** The record of exactly this name, whatever its type: a name with a CNAME has no other, so any other is foreign. */
  async #find(hostname: string, signal: AbortSignal): Promise<ResourceRecordSet | undefined> {
    const [first] = await this.#list({ StartRecordName: hostname }, signal);
    return first && withoutDot(first.Name) === hostname.toLowerCase() ? first : undefined;
  }

  async #list(from: { StartRecordName?: string }, signal: AbortSignal): Promise<ResourceRecordSet[]> {
    try {
      const { ResourceRecordSets = [] } = await this.#client.send(
        new ListResourceRecordSetsCommand({ HostedZoneId: this.options.hostedZoneId, MaxItems: 1, ...from }),
        { abortSignal: signal },
      );
      return ResourceRecordSets;
    } catch (error) {
      throw failureOf(error, signal);
    }
  }
}

function targetOf({ Type, ResourceRecords }: ResourceRecordSet): string | undefined {
  return Type === 'CNAME' ? withoutDot(ResourceRecords?.[0]?.Value) : undefined;
}

function withoutDot(name: string | undefined): string | undefined {
  return name?.replace(/\.$/, '').toLowerCase();
}

function failureOf(error: unknown, signal: AbortSignal): DnsFailure {
  const name = error instanceof Error ? error.name : '';
  if (signal.aborted || name === 'TimeoutError') return new DnsFailure('timeout', { cause: error });
  return new DnsFailure(CODES[name] ?? 'provider-unavailable', { cause: error });
}
