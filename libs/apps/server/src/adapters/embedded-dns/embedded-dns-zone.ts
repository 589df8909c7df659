import { DnsFailure, DnsZone } from '../../application/dns-zone.port';

export interface EmbeddedDnsOptions {
  /** The control address of the embedded DNS server. */
  readonly controlUrl: string;
  readonly token: string;
}

const RECORD_TTL_SECONDS = 60;

/** The embedded DNS server, for development and for machines without a DNS provider. */
export class EmbeddedDnsZone extends DnsZone {
  constructor(private readonly options: EmbeddedDnsOptions) {
    super();
  }

  async point(hostname: string, target: string, signal: AbortSignal): Promise<void> {
    const body = JSON.stringify({ type: 'CNAME', value: target, ttl: RECORD_TTL_SECONDS });
    await this.#call('PUT', `/records/${encodeURIComponent(hostname)}`, signal, body);
  }

  async remove(hostname: string, target: string, signal: AbortSignal): Promise<void> {
    await this.#call('DELETE', `/records/${encodeURIComponent(hostname)}?value=${encodeURIComponent(target)}`, signal);
  }

  async ready(signal: AbortSignal): Promise<void> {
    await this.#call('GET', '/records', signal);
  }

  async #call(method: string, path: string, signal: AbortSignal, body?: string): Promise<void> {
    const response = await this.#fetch(method, path, signal, body);
    await response.body?.cancel();
    if (response.ok) return;
    if (response.status === 409) throw new DnsFailure('foreign-record');
    if (response.status === 401 || response.status === 403) throw new DnsFailure('access-denied');
    if (response.status === 422 || response.status === 400) throw new DnsFailure('invalid-record');
    throw new DnsFailure('provider-unavailable');
  }

  async #fetch(method: string, path: string, signal: AbortSignal, body?: string): Promise<Response> {
    try {
      return await fetch(new URL(path, this.options.controlUrl), {
        method,
        signal,
        redirect: 'error',
        headers: {
          authorization: `Bearer ${this.options.token}`,
          ...(body ? { 'content-type': 'application/json' } : {}),
        },
        ...(body === undefined ? {} : { body }),
      });
    } catch (error) {
      throw new DnsFailure(signal.aborted ? 'timeout' : 'provider-unavailable', { cause: error });
    }
  }
}
