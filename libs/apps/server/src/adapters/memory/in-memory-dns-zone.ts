import { DnsFailure, DnsZone } from '../../application/dns-zone.port';

/** A zone in memory, for tests and for trying modules out. Passes the same contract suite as the real ones. */
export class InMemoryDnsZone extends DnsZone {
  readonly #targets = new Map<string, string>();

  async point(hostname: string, target: string): Promise<void> {
    const present = this.#targets.get(hostname) ?? target;
    if (present !== target) throw new DnsFailure('foreign-record');
    this.#targets.set(hostname, target);
  }

  async remove(hostname: string, target: string): Promise<void> {
    const present = this.#targets.get(hostname) ?? target;
    if (present !== target) throw new DnsFailure('foreign-record');
    this.#targets.delete(hostname);
  }

  async ready(): Promise<void> {
    return Promise.resolve();
  }

  /** Where a name points now; undefined when it has no record. */
  targetOf(hostname: string): string | undefined {
    return this.#targets.get(hostname);
  }
}
