import type { DomainRecordType } from '@homeport/apps/contracts';
import { DomainResolver, type ServerAnswer } from '../../application/domain-resolver.port';

/** Name servers in memory, for tests. */
export class InMemoryDomainResolver extends DomainResolver {
  /** Names of servers that do not answer. */
  readonly silent = new Set<string>();
  readonly #records = new Map<string, readonly string[]>();

  constructor(readonly servers: readonly string[] = ['ns1.test', 'ns2.test']) {
    super();
  }

  /** @param servers those that have the record; default: all. */
  set(name: string, type: DomainRecordType, values: readonly string[], servers = this.servers): void {
    for (const server of servers) this.#records.set(`${server} ${name} ${type}`, values);
  }

  async askAll(name: string, type: DomainRecordType): Promise<readonly ServerAnswer[]> {
    return this.servers.map((server) => this.#ask(server, name, type));
  }

  async addressesOf(name: string): Promise<Pick<ServerAnswer, 'outcome' | 'values'>> {
    const server = this.servers.find((each) => !this.silent.has(each));
    if (server === undefined) return { outcome: 'unknown', values: [] };
    const values = (['A', 'AAAA'] as const).flatMap((type) => this.#ask(server, name, type).values);
    return { outcome: values.length > 0 ? 'found' : 'absent', values };
  }

  #ask(server: string, name: string, type: DomainRecordType): ServerAnswer {
    if (this.silent.has(server)) return { server, outcome: 'unknown', values: [] };
    const values = this.#records.get(`${server} ${name} ${type}`) ?? [];
    return { server, outcome: values.length > 0 ? 'found' : 'absent', values };
  }
}
