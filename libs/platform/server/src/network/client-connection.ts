import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { TLSSocket } from 'node:tls';
import proxyAddr from '@fastify/proxy-addr';

/** How a client reached the service, possibly through proxies. */
export interface ClientConnection {
  /** IP address, an IPv4 one never in IPv6 notation; empty when the connection has ended. */
  readonly address: string;
  readonly isEncrypted: boolean;
}

/** @returns the connection of the client that sent a request. */
export type ClientConnectionResolver = (request: IncomingMessage) => ClientConnection;

/**
 * @param proxies addresses and networks whose `X-Forwarded-For` and `X-Forwarded-Proto` are trusted. An empty list trusts
 * none.
 */
export function createClientConnectionResolver(proxies: readonly string[]): ClientConnectionResolver {
  if (proxies.length === 0) return ({ socket }) => directConnection(socket as TLSSocket);
  const isTrusted = proxyAddr.compile([...proxies]);
  return (request) => {
    const direct = directConnection(request.socket as TLSSocket);
    if (!isTrusted(direct.address, 0)) return direct;
    const address = statedAddress(proxyAddr(request, isTrusted), direct.address);
    return { address, isEncrypted: statedEncryption(request) ?? direct.isEncrypted };
  };
}

/**
 * The address that a proxy states, with or without a port.
 * @param connected the address of the connection, used when `claimed` is not an IP address.
 */
export function statedAddress(claimed: string, connected: string): string {
  return withoutMapping([claimed, withoutPort(claimed)].find((each) => isIP(each) !== 0) ?? connected);
}

function directConnection({ remoteAddress = '', encrypted }: Partial<TLSSocket>): ClientConnection {
  return { address: withoutMapping(remoteAddress), isEncrypted: encrypted === true };
}

/** The first proxy of several saw the client. @returns undefined when no protocol is stated. */
function statedEncryption({ headers }: IncomingMessage): boolean | undefined {
  const [protocol = ''] = String(headers['x-forwarded-proto'] ?? '').split(',');
  const isKnown = /^\s*https?\s*$/i.test(protocol);
  return isKnown ? protocol.trim().toLowerCase() === 'https' : undefined;
}

/** Sockets that accept both IP versions write IPv4 addresses in IPv6 notation. */
function withoutMapping(address: string): string {
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;
}

/** Removes the port of `192.0.2.1:443` and `[2001:db8::1]:443`, as some proxies write addresses, and the brackets. */
function withoutPort(text: string): string {
  const [, inBrackets, plain] = /^(?:\[(.*)\]|([^:]*))(?::\d{1,5})?$/.exec(text) ?? [];
  return inBrackets ?? plain ?? text;
}
