import { lookup as systemLookup, type LookupAddress, type LookupOptions } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { AddressPolicy } from '@homeport/platform/server/network';
import { CodedFailure } from '@homeport/platform/server/observability';
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
  const policy = new AddressPolicy({ allowed: networks });
  const dispatcher = new Agent({ connect: { lookup: checkedLookup(resolve, policy) } });
  return async (url, init) => {
    const response = await fetch(url, { ...(init as UndiciRequestInit), dispatcher });
    return response as unknown as Response;
  };
}

function checkedLookup(resolve: Resolve, policy: AddressPolicy): LookupFunction {
  return (hostname, options, done) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return done(error, '');
      const allowed = addresses.filter(({ address }) => policy.refusalOf(address) === undefined);
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
