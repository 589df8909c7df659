import { CodedFailure } from '@homeport/platform/server/observability';
import { z } from 'zod';
import {
  type ChangeReceipt,
  type CnameRecord,
  DnsFailure,
  DnsZone,
  type RecordChange,
  RecordConflict,
  type ZoneRecord,
} from '../../application/dns-zone.port';

export interface EmbeddedDnsOptions {
  /** The control address of the embedded DNS server. */
  readonly controlUrl: string;
  readonly token: string;
}

const Present = z.object({ name: z.string(), value: z.string(), ttl: z.number() });
const Absent = z.object({ name: z.string() });
const REFUSALS: Readonly<Record<number, DnsFailure['code']>> = {
  400: 'invalid-record',
  401: 'access-denied',
  403: 'access-denied',
  413: 'invalid-record',
  422: 'invalid-record',
};

interface Answer {
  readonly status: number;
  /** Undefined when the body is not JSON. */
  readonly body: unknown;
}

/** The embedded DNS server, for development and for machines without a DNS provider. */
export class EmbeddedDnsZone extends DnsZone {
  readonly maxBatchSize = 500;

  constructor(private readonly options: EmbeddedDnsOptions) {
    super();
  }

  async change(changes: readonly RecordChange[], signal: AbortSignal): Promise<ChangeReceipt> {
    const body = changes.map(({ hostname, before, after }) => ({
      name: hostname,
      ...(before && { before: dataOf(before) }),
      ...(after && { after: dataOf(after) }),
    }));
    const answer = await this.#call('POST', '/changes', signal, JSON.stringify(body));
    if (answer.status === 200) return {};
    const failure = failureOf(answer);
    // The answer does not name the invalid change. A conflict makes the caller split the batch down to one change.
    const isInvalidBatch = failure.code === 'invalid-record' && changes.length > 1;
    throw answer.status === 409 || isInvalidBatch ? new RecordConflict({ cause: failure }) : failure;
  }

  async find(hostname: string, signal: AbortSignal): Promise<ZoneRecord | undefined> {
    const answer = await this.#call('GET', `/records/${encodeURIComponent(hostname)}`, signal);
    if (answer.status === 404 && Absent.safeParse(answer.body).data?.name === hostname) return undefined;
    const { data } = Present.safeParse(answer.body);
    if (answer.status !== 200 || data?.name !== hostname) throw failureOf(answer);
    return recordOf(data);
  }

  async isInSync(): Promise<boolean> {
    return true;
  }

  async *records(signal: AbortSignal): AsyncIterable<ZoneRecord> {
    yield* (await this.#list(signal)).map(recordOf);
  }

  async ready(signal: AbortSignal): Promise<void> {
    await this.#list(signal);
  }

  async #list(signal: AbortSignal): Promise<z.infer<typeof Present>[]> {
    const answer = await this.#call('GET', '/records', signal);
    const { data } = z.array(Present).safeParse(answer.body);
    if (answer.status !== 200 || data === undefined) throw failureOf(answer);
    return data;
  }

  async #call(method: string, path: string, signal: AbortSignal, body?: string): Promise<Answer> {
    try {
      const response = await fetch(new URL(path, this.options.controlUrl), {
        method,
        signal,
        redirect: 'error',
        headers: {
          authorization: `Bearer ${this.options.token}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body }),
      });
      return { status: response.status, body: parsed(await response.text()) };
    } catch (error) {
      throw new DnsFailure(signal.aborted ? 'timeout' : 'provider-unavailable', { cause: error });
    }
  }
}

function dataOf({ target, ttl }: CnameRecord): { value: string; ttl: number } {
  return { value: target, ttl };
}

function recordOf({ name, value, ttl }: z.infer<typeof Present>): ZoneRecord {
  return { hostname: name, cname: { target: value, ttl } };
}

function failureOf({ status }: Answer): DnsFailure {
  return new DnsFailure(REFUSALS[status] ?? 'provider-unavailable', {
    cause: new CodedFailure(`HTTP_${status}`, `the embedded DNS server answered ${status}`),
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Rejections have no body. Callers that require a body treat `undefined` as a failure.
    return undefined;
  }
}
