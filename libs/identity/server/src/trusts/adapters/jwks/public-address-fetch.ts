import { lookup as systemLookup, type LookupAddress, type LookupOptions } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { CodedFailure } from '@homeport/platform/server/observability';
import proxyAddr from '@fastify/proxy-addr';
import ipaddr from 'ipaddr.js';
import { Agent, fetch, type RequestInit as UndiciRequestInit } from 'undici';
import type { Fetch } from '../../../adapters/jwks/bounded-json';

type LookupCallback = (error: Error | null, addresses: LookupAddress[]) => void;
/** Resolves a name to all of its addresses, like `dns.lookup`. */
export type Resolve = (hostname: string, options: LookupOptions & { all: true }, done: LookupCallback) => void;

export interface PublicAddressFetchOptions {
  /** Addresses and networks that can be contacted although they are not public. */
  readonly networks: readonly string[];
  readonly resolve?: Resolve | undefined;
}

/**
 * A `fetch` that connects to public addresses only. Members choose the issuers of trusts, and their names must not lead
 * into the network of the server. The addresses are checked while the connection is made, so a name that resolves to
 * another address afterwards changes nothing.
 */
export function publicAddressFetch({ networks, resolve = systemLookup }: PublicAddressFetchOptions): Fetch {
  const isAllowedNetwork = proxyAddr.compile([...networks]);
  const isAllowed = (address: string) => isPublicAddress(address) || isAllowedNetwork(address, 0);
  const dispatcher = new Agent({ connect: { lookup: checkedLookup(resolve, isAllowed) } });
  return async (url, init) => {
    const response = await fetch(url, { ...(init as UndiciRequestInit), dispatcher });
    return response as unknown as Response;
  };
}

/** Whether an address is on the public internet: not loopback, private, link-local, shared, reserved or translated. */
export function isPublicAddress(address: string): boolean {
  // `process` converts IPv4 addresses in IPv6 notation, which reach the same hosts.
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'unicast';
}

function checkedLookup(resolve: Resolve, isAllowed: (address: string) => boolean): LookupFunction {
  return (hostname, options, done) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return done(error, '');
      const allowed = addresses.filter(({ address }) => isAllowed(address));
      const [first] = allowed;
      if (!first) return done(notPublic(hostname), '');
      if (options.all === true) done(null, allowed);
      else done(null, first.address, first.family);
    });
  };
}

function notPublic(hostname: string): CodedFailure {
  return new CodedFailure('ADDRESS_NOT_PUBLIC', `${hostname} has no public address`);
}
