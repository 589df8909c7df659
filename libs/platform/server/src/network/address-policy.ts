import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Range = [Address, number];

/** The addresses that are assigned for the public internet. Translation prefixes such as 64:ff9b::/96 are outside. */
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3');

export interface AddressPolicyOptions {
  /** Addresses and networks that are allowed although they are not public, such as `10.1.2.0/24`. */
  readonly allowed?: readonly string[];
  /** The addresses of this machine. */
  readonly ownAddresses?: () => readonly string[];
}

/**
 * Decides to which addresses the server connects for others, such as apps and the members who choose an issuer: to those
 * of the public internet that are not of this machine. Check the address that the connection uses, not an earlier one of
 * the same name.
 */
export class AddressPolicy {
  private readonly allowed: readonly Range[];
  private readonly ownAddresses: () => readonly string[];

  constructor({ allowed = [], ownAddresses = addressesOfThisMachine }: AddressPolicyOptions = {}) {
    this.allowed = allowed.map(rangeOf);
    this.ownAddresses = ownAddresses;
  }

  /** Why an address is denied, such as `a private address`; undefined when it is allowed. */
  refusalOf(address: string): string | undefined {
    if (isIP(address) === 0 || address.includes('%')) return 'not an address';
    // An IPv4 address in IPv6 notation leads to the same host.
    const parsed = ipaddr.process(address);
    if (this.allowed.some((range) => isIn(parsed, range))) return undefined;
    if (this.ownAddresses().some((own) => isSame(parsed, own))) return 'an address of the platform';
    const range = parsed.range();
    if (range !== 'unicast') return `not a public address (${range})`;
    return parsed.kind() === 'ipv6' && !isIn(parsed, GLOBAL_IPV6) ? 'not a public address (unassigned)' : undefined;
  }
}

/** @param text an address, or a network in CIDR notation. */
function rangeOf(text: string): Range {
  if (text.includes('/')) return ipaddr.parseCIDR(text);
  const address = ipaddr.process(text);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}

function isIn(address: Address, range: Range): boolean {
  return address.kind() === range[0].kind() && address.match(range);
}

function isSame(address: Address, other: string): boolean {
  return ipaddr.process(other).toNormalizedString() === address.toNormalizedString();
}

function addressesOfThisMachine(): readonly string[] {
  return Object.values(networkInterfaces()).flatMap((each = []) =>
    each.map(({ address }) => address.split('%')[0] ?? ''),
  );
}
