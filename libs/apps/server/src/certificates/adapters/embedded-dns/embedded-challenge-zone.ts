import {
  EmbeddedDnsClient,
  type EmbeddedDnsOptions,
  failureOf,
} from '../../../dns/adapters/embedded-dns/embedded-dns-client';
import { ChallengeZone } from '../../application/challenge-zone.port';

/** Challenge records of the embedded DNS server, which adds and removes single values. */
export class EmbeddedChallengeZone extends ChallengeZone {
  readonly #client: EmbeddedDnsClient;

  constructor(options: EmbeddedDnsOptions) {
    super();
    this.#client = new EmbeddedDnsClient(options);
  }

  add(name: string, value: string, signal: AbortSignal): Promise<void> {
    return this.#change('PUT', name, value, signal);
  }

  remove(name: string, value: string, signal: AbortSignal): Promise<void> {
    return this.#change('DELETE', name, value, signal);
  }

  async #change(method: string, name: string, value: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const path = `/challenges/${encodeURIComponent(name)}/${encodeURIComponent(value)}`;
    const answer = await this.#client.call(method, path, signal);
    if (answer.status !== 204) throw failureOf(answer);
  }
}
