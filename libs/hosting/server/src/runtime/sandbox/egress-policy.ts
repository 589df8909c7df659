import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Range = [Address, number];

/** The addresses that are assigned for the public internet. Translation prefixes such as 64:ff9b::/96 are outside. */
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3');

export interface EgressPolicyOptions {
  /** Ranges that are allowed although they are not public, such as `10.1.2.0/24`. */
  readonly allowed?: readonly string[];
  /** The addresses of this machine. */
  readonly ownAddresses?: () => readonly string[];
}

/** Decides which addresses apps may connect to: those of the public internet that are not of this machine. */
export class EgressPolicy {
  private readonly allowed: readonly Range[];
  private readonly ownAddresses: () => readonly string[];

  constructor({ allowed = [], ownAddresses = addressesOfThisMachine }: EgressPolicyOptions = {}) {
    this.allowed = allowed.map((range) => ipaddr.parseCIDR(range));
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
