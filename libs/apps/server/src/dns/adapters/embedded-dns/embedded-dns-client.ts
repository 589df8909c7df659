import { CodedFailure } from '@homeport/platform/server/observability';
import { DnsFailure } from '../../application/dns-zone.port';

export interface EmbeddedDnsOptions {
  /** The control address of the embedded DNS server. */
  readonly controlUrl: string;
  readonly token: string;
}

const REFUSALS: Readonly<Record<number, DnsFailure['code']>> = {
  400: 'invalid-record',
  401: 'access-denied',
  403: 'access-denied',
  413: 'invalid-record',
  422: 'invalid-record',
};

/** A response of the control address. */
export interface ControlAnswer {
  readonly status: number;
  /** Undefined when the body is not JSON. */
  readonly body: unknown;
}

/** Calls the control address of the embedded DNS server. */
export class EmbeddedDnsClient {
  constructor(private readonly options: EmbeddedDnsOptions) {}

  /** @throws {DnsFailure} `timeout` or `provider-unavailable`. */
  async call(method: string, path: string, signal: AbortSignal, body?: string): Promise<ControlAnswer> {
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

/** The failure that a response means. */
export function failureOf({ status }: ControlAnswer): DnsFailure {
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
