import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { createClientConnectionResolver } from './client-connection';

const PROXIES = ['10.0.0.0/8', '2001:db8::1'];

/** @param from the address of the connection. */
function request(from: string, headers: IncomingMessage['headers'] = {}, encrypted = false): IncomingMessage {
  return { socket: { remoteAddress: from, encrypted }, headers } as unknown as IncomingMessage;
}
const spoofed = { 'x-forwarded-for': '192.0.2.99', 'x-forwarded-proto': 'https' };

describe('createClientConnectionResolver', () => {
  const resolve = createClientConnectionResolver(PROXIES);

  it('ignores what direct clients state about themselves', () => {
    const direct = { address: '192.0.2.7', isEncrypted: false };
    expect(resolve(request('192.0.2.7', spoofed))).toEqual(direct);
    expect(createClientConnectionResolver([])(request('::ffff:192.0.2.7', spoofed))).toEqual(direct);
    expect(resolve(request('192.0.2.7', {}, true))).toEqual({ ...direct, isEncrypted: true });
  });

  it.each(['10.0.0.1', '::ffff:10.0.0.1', '2001:db8::1'])('believes the trusted proxy %s', (proxy) => {
    expect(resolve(request(proxy, spoofed))).toEqual({ address: '192.0.2.99', isEncrypted: true });
  });

  it('takes the last address that no trusted proxy has', () => {
    const chain = { 'x-forwarded-for': '1.1.1.1, 192.0.2.7, 10.9.9.9', 'x-forwarded-proto': 'https, http' };
    expect(resolve(request('10.0.0.1', chain))).toEqual({ address: '192.0.2.7', isEncrypted: true });
  });

  it('uses the connection of the proxy where it states nothing that can be read', () => {
    const headers = { 'x-forwarded-for': 'unknown', 'x-forwarded-proto': 'spdy' };
    expect(resolve(request('10.0.0.1', headers))).toEqual({ address: '10.0.0.1', isEncrypted: false });
    expect(resolve(request('10.0.0.1', {}, true))).toEqual({ address: '10.0.0.1', isEncrypted: true });
  });

  it.each(['192.0.2.7:1234', '::ffff:192.0.2.7'])('reads the notation %s', (text) => {
    expect(resolve(request('10.0.0.1', { 'x-forwarded-for': text })).address).toBe('192.0.2.7');
  });
});
