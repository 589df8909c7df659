import { isIPv6 } from 'node:net';
import { statedAddress } from '../network/client-connection';

/**
 * The caller that an address counts as in limits: an IPv4 address or an IPv6 /64 network, because a single subscriber
 * has a whole /64 and could send each request from another of its addresses.
 * @param claimed the address as a proxy states it, with or without a port.
 * @param connected the address of the connection, used when `claimed` is not an IP address.
 */
export function networkOf(claimed: string, connected = ''): string {
  const address = statedAddress(claimed, connected);
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.replace(/%.*$/, '').split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length;
  const groups = [...before, ...Array<string>(Math.max(0, zeros)).fill('0'), ...after];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}
