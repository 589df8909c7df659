import { z } from 'zod';
import {
  type ChangeReceipt,
  type CnameRecord,
  DnsZone,
  type RecordChange,
  RecordConflict,
  type ZoneRecord,
} from '../../application/dns-zone.port';
import { EmbeddedDnsClient, type EmbeddedDnsOptions, failureOf } from './embedded-dns-client';

const Present = z.object({ name: z.string(), value: z.string(), ttl: z.number() });
const Absent = z.object({ name: z.string() });
/** The embedded DNS server, for development and for machines without a DNS provider. */
export class EmbeddedDnsZone extends DnsZone {
  readonly maxBatchSize = 500;

  readonly #client: EmbeddedDnsClient;

  constructor(options: EmbeddedDnsOptions) {
    super();
    this.#client = new EmbeddedDnsClient(options);
  }

  async change(changes: readonly RecordChange[], signal: AbortSignal): Promise<ChangeReceipt> {
    const body = changes.map(({ hostname, before, after }) => ({
      name: hostname,
      ...(before && { before: dataOf(before) }),
      ...(after && { after: dataOf(after) }),
    }));
    const answer = await this.#client.call('POST', '/changes', signal, JSON.stringify(body));
    if (answer.status === 200) return {};
    const failure = failureOf(answer);
    // The answer does not name the invalid change. A conflict makes the caller split the batch down to one change.
    const isInvalidBatch = failure.code === 'invalid-record' && changes.length > 1;
    throw answer.status === 409 || isInvalidBatch ? new RecordConflict({ cause: failure }) : failure;
  }

  async find(hostname: string, signal: AbortSignal): Promise<ZoneRecord | undefined> {
    const answer = await this.#client.call('GET', `/records/${encodeURIComponent(hostname)}`, signal);
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
    const answer = await this.#client.call('GET', '/records', signal);
    const { data } = z.array(Present).safeParse(answer.body);
    if (answer.status !== 200 || data === undefined) throw failureOf(answer);
    return data;
  }
}

function dataOf({ target, ttl }: CnameRecord): { value: string; ttl: number } {
  return { value: target, ttl };
}

function recordOf({ name, value, ttl }: z.infer<typeof Present>): ZoneRecord {
  return { hostname: name, cname: { target: value, ttl } };
}
