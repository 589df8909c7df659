import { isIP } from 'node:net';
import type { SiteHostnames } from '@homeport/hosting/contracts';

/** The destination of a request, by its host. */
export type ParsedHost =
  /** A hostname that a site may have, in lower case: directly below the platform domain, or an own domain. */
  | { readonly kind: 'site'; readonly hostname: string }
  /** Below the domain, but not directly: no site can have it. */
  | { readonly kind: 'unknown' }
  /** An address or a name without a domain: the instance itself, for operators. */
  | { readonly kind: 'instance' };

const NAME = /^(?=.{1,253}$)[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*$/i;
const ADDRESS = /^\[[0-9a-f:.]{2,45}\]$/i;

/**
 * Parses the header field `Host`, in any case, with or without a port and a trailing dot.
 * @returns undefined when it is not a valid host.
 */
export function parseHost(host: string, hostnames: SiteHostnames): ParsedHost | undefined {
  const name = host.replace(/:\d{0,5}$/, '').replace(/\.$/, '');
  if (!NAME.test(name)) return ADDRESS.test(name) ? { kind: 'instance' } : undefined;
  // Lower-cased only after the ASCII check: Unicode case mapping could turn other characters into ASCII.
  const hostname = name.toLowerCase();
  if (hostnames.contains(hostname)) {
    return hostnames.labelOf(hostname) === undefined ? { kind: 'unknown' } : { kind: 'site', hostname };
  }
  const mayBeDomain = hostname.includes('.') && isIP(hostname) === 0 && hostname !== hostnames.domain;
  return mayBeDomain ? { kind: 'site', hostname } : { kind: 'instance' };
}
