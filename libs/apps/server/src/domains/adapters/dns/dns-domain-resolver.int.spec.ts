import { createServer, type Server } from 'node:net';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningDns, startDns } from '@homeport/dev-services';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import dnsPacket from 'dns-packet';
import { DnsDomainResolver } from './dns-domain-resolver';

let folder = '';
let dns: RunningDns;
const servers: Server[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'homeport-dns-'));
  dns = await startDns({ dataDir: folder, domain: 'apps.localhost' });
});
afterAll(async () => {
  servers.forEach((server) => server.close());
  await dns.close();
  await rm(folder, { recursive: true });
});

const setRecord = async (name: string, type: string, values: readonly string[]) => {
  const url = `${dns.controlUrl}/practice/${encodeURIComponent(name)}/${type}`;
  const headers = { authorization: `Bearer ${dns.token}` };
  expect((await fetch(url, { method: 'PUT', headers, body: JSON.stringify(values) })).status).toBe(204);
};
const resolverOf = (...ports: readonly number[]) =>
  new DnsDomainResolver({ resolvers: ports.map((port) => `127.0.0.1:${port}`), serverAt: () => undefined });

/** A name server that answers every question with the same flags and no records, or with nothing. */
async function strangeServer(answer: 'silence' | 'lame' | 'failure' | 'nonsense'): Promise<number> {
  const flags = { silence: 0, lame: 0, failure: 2 | dnsPacket.AUTHORITATIVE_ANSWER, nonsense: 0 }[answer];
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (bytes: Buffer) => {
      if (answer === 'silence') return;
      if (answer === 'nonsense') socket.end(Buffer.from([0, 20, ...Array.from({ length: 20 }, () => 0xff)]));
      else socket.write(dnsPacket.streamEncode({ type: 'response', id: bytes.readUInt16BE(2), flags }));
    });
    servers.push({ close: () => socket.destroy() } as never);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}

describe('real name servers', () => {
  it('return the values of each type', async () => {
    const resolver = resolverOf(dns.port);
    await setRecord('_homeport.shop.example', 'TXT', ['homeport-domain=one', 'homeport-domain=two']);
    await setRecord('shop.example', 'CAA', ['issue "letsencrypt.org"']);
    await setRecord('www.shop.example', 'CNAME', ['Edge.Example.']);
    const valuesOf = async (name: string, type: 'TXT' | 'CAA' | 'CNAME') =>
      (await resolver.askAll(name, type)).map(({ outcome, values }) => [outcome, values]);
    expect(await valuesOf('_homeport.shop.example', 'TXT')).toEqual([
      ['found', ['homeport-domain=one', 'homeport-domain=two']],
    ]);
    expect(await valuesOf('shop.example', 'CAA')).toEqual([['found', ['issue "letsencrypt.org"']]]);
    expect(await valuesOf('www.shop.example', 'CNAME')).toEqual([['found', ['edge.example']]]);
    expect(await valuesOf('absent.shop.example', 'TXT')).toEqual([['absent', []]]);
  });

  it('lead from a name to its addresses, over several names', async () => {
    await setRecord('one.hops.example', 'CNAME', ['two.hops.example']);
    await setRecord('two.hops.example', 'A', ['192.0.2.7']);
    await setRecord('two.hops.example', 'AAAA', ['2001:db8::7']);
    await setRecord('loop.hops.example', 'CNAME', ['loop.hops.example']);
    const resolver = resolverOf(dns.port);
    expect(await resolver.addressesOf('one.hops.example')).toEqual({
      outcome: 'found',
      values: ['192.0.2.7', '2001:db8::7'],
    });
    expect(await resolver.addressesOf('absent.hops.example')).toEqual({ outcome: 'absent', values: [] });
    expect(await resolver.addressesOf('loop.hops.example')).toEqual({ outcome: 'absent', values: [] });
    expect((await resolver.addressesOf('edge.localhost')).values).toEqual(['127.0.0.1', '::1']);
  });

  it('are found through the records of the zone, and asked themselves', async () => {
    await setRecord('delegated.example', 'NS', ['ns.delegated.example']);
    await setRecord('ns.delegated.example', 'A', ['10.0.0.53']);
    const asked: string[] = [];
    const serverAt = (address: string) => {
      asked.push(address);
      return undefined;
    };
    // A resolver that is not authoritative: it forwards to the embedded server, and removes the flag.
    const port = await forwarder(dns.port);
    const resolver = new DnsDomainResolver({ resolvers: [`127.0.0.1:${port}`], serverAt });
    expect(await resolver.askAll('_homeport.delegated.example', 'TXT')).toEqual([]);
    expect(asked).toEqual(['10.0.0.53']);
  });
});

describe('servers that do not help', () => {
  it.each(['lame', 'failure', 'nonsense'] as const)('prove nothing: %s', async (answer) => {
    const resolver = resolverOf(await strangeServer(answer));
    expect(await resolver.askAll('www.acme.example', 'TXT')).toEqual([]);
    expect((await resolver.addressesOf('www.acme.example')).outcome).toBe(answer === 'lame' ? 'absent' : 'unknown');
  });

  it('prove nothing while they are silent', async () => {
    const resolver = resolverOf(await strangeServer('silence'));
    expect((await resolver.addressesOf('www.acme.example')).outcome).toBe('unknown');
  });
});

/** Forwards messages, and removes the flag of authoritative answers. */
async function forwarder(port: number): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', async (bytes: Buffer) => {
      const { exchangeOverTcp } = await import('../../../shared/adapters/dns/tcp-exchange');
      const answers = exchangeOverTcp({ host: '127.0.0.1', port }, bytes.subarray(2), AbortSignal.timeout(5_000));
      for await (const answer of answers) {
        answer.writeUInt16BE(answer.readUInt16BE(2) & ~dnsPacket.AUTHORITATIVE_ANSWER, 2);
        const length = Buffer.alloc(2);
        length.writeUInt16BE(answer.length);
        socket.end(Buffer.concat([length, answer]));
        return;
      }
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}
