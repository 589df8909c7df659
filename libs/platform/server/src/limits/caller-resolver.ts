import type { IncomingMessage } from 'node:http';
import proxyAddr from '@fastify/proxy-addr';
import { networkOf } from './network-of';

/** @returns the caller of a request, as used by rate and connection limits. */
export type CallerResolver = (request: IncomingMessage) => string;

/** @param proxies addresses and networks whose `X-Forwarded-For` is trusted. An empty list trusts none. */
export function createCallerResolver(proxies: readonly string[]): CallerResolver {
  if (proxies.length === 0) return ({ socket }) => networkOf(socket.remoteAddress ?? '');
  const isTrusted = proxyAddr.compile([...proxies]);
  return (request) => networkOf(proxyAddr(request, isTrusted), request.socket.remoteAddress);
}
