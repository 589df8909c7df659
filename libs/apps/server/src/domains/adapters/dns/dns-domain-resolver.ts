import { getServers } from 'node:dns';
import type { DomainRecordType } from '@homeport/apps/contracts';
import { parseServerAddress, type ServerAddress } from '../../../shared/adapters/dns/tcp-exchange';
import { DomainResolver, type ServerAnswer } from '../../application/domain-resolver.port';
import { askServer, type QuestionType, type ServerResponse, valuesOf } from './ask-server';

export interface DnsDomainResolverOptions {
  /** `host[:port]` of resolvers; empty for those of the system. They are also asked for the zones that they serve. */
  readonly resolvers: readonly string[];
  /**
   * Where the name server at an address is asked; undefined when it must not be: zones of strangers must not lead into
   * this network.
   */
  readonly serverAt: (address: string) => ServerAddress | undefined;
  /** Milliseconds for one look at one record, with all its servers. Default: 8 s. */
  readonly timeoutMs?: number;
}

const LOOK_TIMEOUT_MS = 8_000;
const MAX_SERVERS = 8;
const MAX_CNAMES = 8;
const UNKNOWN = { outcome: 'unknown', values: [] } as const;
const ABSENT = { outcome: 'absent', values: [] } as const;

/** A server that is asked, and the name under which its answer is shown. */
interface NamedServer extends ServerAddress {
  readonly shownAs: string;
}

/** Asks real name servers. */
export class DnsDomainResolver extends DomainResolver {
  constructor(private readonly options: DnsDomainResolverOptions) {
    super();
  }

  async askAll(name: string, type: DomainRecordType): Promise<readonly ServerAnswer[]> {
    const signal = this.#timeout();
    const own = await this.#askResolvers({ name, type }, signal);
    const authoritative = own.filter(({ response }) => response?.isAuthoritative);
    if (authoritative.length > 0)
      return authoritative.map(({ server, response }) => toAnswer(server, response, name, type));
    const servers = await this.#serversOf(name, signal);
    return Promise.all(
      servers.map(async (server) => {
        const response = await askServer(server, { name, type }, { isRecursive: false, signal });
        // A server that is not responsible for the zone proves nothing.
        return toAnswer(server, response?.isAuthoritative ? response : undefined, name, type);
      }),
    );
  }

  async addressesOf(name: string): Promise<Pick<ServerAnswer, 'outcome' | 'values'>> {
    // RFC 6761: resolvers need not know it.
    if (name === 'localhost' || name.endsWith('.localhost')) return { outcome: 'found', values: ['127.0.0.1', '::1'] };
    const signal = this.#timeout();
    const both = await Promise.all((['A', 'AAAA'] as const).map((type) => this.#follow(name, type, signal)));
    if (both.some(({ outcome }) => outcome === 'unknown')) return UNKNOWN;
    const values = both.flatMap((each) => each.values);
    return values.length > 0 ? { outcome: 'found', values } : ABSENT;
  }

  #timeout(): AbortSignal {
    return AbortSignal.timeout(this.options.timeoutMs ?? LOOK_TIMEOUT_MS);
  }

  /** Follows CNAME records that a resolver leaves to its client. */
  async #follow(
    name: string,
    type: 'A' | 'AAAA',
    signal: AbortSignal,
  ): Promise<Pick<ServerAnswer, 'outcome' | 'values'>> {
    let current = name;
    for (let i = 0; i < MAX_CNAMES; i += 1) {
      const response = await this.#resolve({ name: current, type }, signal);
      if (!response) return UNKNOWN;
      const end = endOfChain(response, current);
      const values = valuesOf(response.answers, end, type);
      if (values.length > 0) return { outcome: 'found', values };
      if (end === current) return ABSENT;
      current = end;
    }
    return ABSENT;
  }

  /** The servers of the closest zone above the name. */
  async #serversOf(name: string, signal: AbortSignal): Promise<readonly NamedServer[]> {
    for (let zone = name; zone.includes('.'); zone = zone.slice(zone.indexOf('.') + 1)) {
      const response = await this.#resolve({ name: zone, type: 'NS' }, signal);
      const hosts = response ? valuesOf(response.answers, zone, 'NS') : [];
      if (hosts.length > 0) return this.#locate(hosts.slice(0, MAX_SERVERS), signal);
    }
    return [];
  }

  async #locate(hosts: readonly string[], signal: AbortSignal): Promise<readonly NamedServer[]> {
    const located = await Promise.all(
      hosts.map(async (shownAs) => {
        const { values } = await this.#follow(shownAs, 'A', signal);
        const addresses = values.length > 0 ? values : (await this.#follow(shownAs, 'AAAA', signal)).values;
        const [server] = addresses.flatMap((address) => this.options.serverAt(address) ?? []);
        return server ? [{ ...server, shownAs }] : [];
      }),
    );
    return located.flat();
  }

  /** The response of the first resolver that answers. */
  async #resolve(
    question: { readonly name: string; readonly type: QuestionType },
    signal: AbortSignal,
  ): Promise<ServerResponse | undefined> {
    for (const server of this.#resolvers()) {
      const response = await askServer(server, question, { isRecursive: true, signal });
      if (response) return response;
    }
    return undefined;
  }

  #askResolvers(question: { readonly name: string; readonly type: QuestionType }, signal: AbortSignal) {
    return Promise.all(
      (this.options.resolvers.length > 0 ? this.#resolvers() : []).map(async (server) => ({
        server,
        response: await askServer(server, question, { isRecursive: true, signal }),
      })),
    );
  }

  #resolvers(): readonly NamedServer[] {
    const texts = this.options.resolvers.length > 0 ? this.options.resolvers : getServers().map(withBrackets);
    return texts.flatMap((shownAs) => {
      const address = parseServerAddress(shownAs);
      return address ? [{ ...address, shownAs }] : [];
    });
  }
}

/** Node returns an IPv6 address without brackets unless it has a port. */
function withBrackets(server: string): string {
  return server.includes(':') && !server.includes('[') && !server.includes('.') ? `[${server}]` : server;
}

function toAnswer(
  { shownAs }: NamedServer,
  response: ServerResponse | undefined,
  name: string,
  type: QuestionType,
): ServerAnswer {
  if (!response) return { server: shownAs, ...UNKNOWN };
  const values = valuesOf(response.answers, name, type);
  return { server: shownAs, outcome: values.length > 0 ? 'found' : 'absent', values };
}

/** The last name of the CNAME records of a response, from the name on. */
function endOfChain({ answers }: ServerResponse, name: string): string {
  let current = name;
  for (let i = 0; i < MAX_CNAMES; i += 1) {
    const [next] = valuesOf(answers, current, 'CNAME');
    if (next === undefined) return current;
    current = next;
  }
  return current;
}
