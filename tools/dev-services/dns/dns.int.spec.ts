import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import dnsPacket from 'dns-packet';
import type { Packet } from 'dns-packet';
import fc from 'fast-check';
import { startDns } from './index.ts';
import type { RunningDns } from './index.ts';
import { freePort } from '../ports.ts';

let dataDir: string;
let dns: RunningDns;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'homeport-dns-'));
  dns = await startDns({ dataDir, domain: 'apps.localhost' });
});

afterEach(async () => {
  await dns.close();
  await rm(dataDir, { recursive: true });
});

function control(method: string, path: string, body?: unknown, token = dns.token): Promise<Response> {
  return fetch(dns.controlUrl + path, {
    method,
    headers: { authorization: `Bearer ${token}` },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
}

const EDGE = { value: 'edge.localhost', ttl: 60 };
const change = (...changes: unknown[]): Promise<Response> => control('POST', '/changes', changes);
const put = (name: string, value = 'edge.localhost'): Promise<Response> => change({ name, after: { value, ttl: 60 } });
const recordAt = async (name: string): Promise<unknown> => (await control('GET', `/records/${name}`)).json();

function udp(message: Buffer): Promise<Required<Packet>> {
  return new Promise((resolve, reject) => {
    const socket = createSocket('udp4').once('error', reject);
    socket.once('message', (answer) => socket.close(() => resolve(dnsPacket.decode(answer))));
    socket.send(message, dns.port, '127.0.0.1');
  });
}

function tcp(chunks: Buffer[], answers: number): Promise<Required<Packet>[]> {
  return new Promise((resolve, reject) => {
    const socket = connect(dns.port, '127.0.0.1').once('error', reject);
    let received = Buffer.alloc(0);
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      const packets = unframe(received);
      if (packets.length === answers) socket.end(() => resolve(packets));
    });
    for (const chunk of chunks) socket.write(chunk);
  });
}

function unframe(bytes: Buffer): Required<Packet>[] {
  const packets: Required<Packet>[] = [];
  for (let at = 0; at + 2 <= bytes.length && at + 2 + bytes.readUInt16BE(at) <= bytes.length;) {
    const end = at + 2 + bytes.readUInt16BE(at);
    packets.push(dnsPacket.decode(bytes.subarray(at + 2, end)));
    at = end;
  }
  return packets;
}

const query = (name: string, type = 'CNAME', more: Packet = {}): Packet => ({
  type: 'query',
  id: 7,
  flags: dnsPacket.RECURSION_DESIRED,
  questions: [{ name, type }],
  ...more,
});
const ask = (name: string, type?: string, more?: Packet): Promise<Required<Packet>> =>
  udp(dnsPacket.encode(query(name, type, more)));

const AA = 0x0400;

describe('DNS queries', () => {
  beforeEach(() => put('shop.apps.localhost'));

  it('are answered with the exact record', async () => {
    const resolver = new Resolver();
    resolver.setServers([`127.0.0.1:${dns.port}`]);
    expect(await resolver.resolveCname('shop.apps.localhost')).toEqual(['edge.localhost']);
    await expect(resolver.resolveCname('other.apps.localhost')).rejects.toMatchObject({ code: 'ENOTFOUND' });
    await expect(resolver.resolveCname('deep.shop.apps.localhost')).rejects.toMatchObject({ code: 'ENOTFOUND' });
  });

  it.each(['A', 'AAAA', 'TXT', 'ANY'])('for %s are answered with the CNAME', async (type) => {
    const answer = await ask('shop.apps.localhost', type);
    expect(answer.rcode).toBe('NOERROR');
    expect(answer.answers).toMatchObject([{ type: 'CNAME', data: 'edge.localhost', ttl: 60 }]);
    expect((answer.flags ?? 0) & AA).toBe(AA);
  });

  it('keep the letter case of the question', async () => {
    const answer = await ask('sHoP.ApPs.LocalHost');
    expect(answer.questions[0]?.name).toBe('sHoP.ApPs.LocalHost');
    expect(answer.answers[0]?.name).toBe('sHoP.ApPs.LocalHost');
  });

  it('keep the bytes of a name that is not text', async () => {
    const message = dnsPacket.encode(query('abcd.apps.localhost'));
    message.set([0xff, 0x00, 0x2e, 0xfe], 13);
    const socket = createSocket('udp4');
    const answer = await new Promise<Buffer>((resolve) => {
      socket.once('message', resolve).send(message, dns.port, '127.0.0.1');
    });
    socket.close();
    expect(answer.subarray(12, message.length)).toEqual(message.subarray(12));
    expect(dnsPacket.decode(answer).rcode).toBe('NXDOMAIN');
  });

  it('for an absent name are answered with the SOA and a short TTL', async () => {
    const answer = await ask('other.apps.localhost', 'A');
    expect(answer.rcode).toBe('NXDOMAIN');
    expect(answer.authorities).toMatchObject([{ type: 'SOA', name: 'apps.localhost', ttl: 5 }]);
  });

  it('for an empty non-terminal are answered with NOERROR', async () => {
    await put('a.b.apps.localhost');
    expect(await ask('b.apps.localhost')).toMatchObject({ rcode: 'NOERROR', answers: [] });
  });

  it('for the apex are answered with SOA and NS only', async () => {
    expect((await ask('apps.localhost', 'SOA')).answers).toMatchObject([{ type: 'SOA' }]);
    expect((await ask('apps.localhost', 'NS')).answers).toMatchObject([{ type: 'NS', data: 'localhost' }]);
    expect(await ask('apps.localhost', 'A')).toMatchObject({ rcode: 'NOERROR', answers: [] });
  });

  it('for other zones are refused', async () => {
    for (const name of ['example.com', 'localhost', 'xapps.localhost', '.']) {
      expect((await ask(name, 'A')).rcode).toBe('REFUSED');
    }
    expect((await ask('apps.localhost', 'AXFR')).rcode).toBe('REFUSED');
  });

  it('with other opcodes are answered with NOTIMP, truncated messages with FORMERR', async () => {
    expect((await ask('apps.localhost', 'SOA', { flags: 5 << 11 })).rcode).toBe('NOTIMP');
    const message = dnsPacket.encode(query('shop.apps.localhost'));
    expect((await udp(message.subarray(0, -6))).rcode).toBe('FORMERR');
  });

  it('support EDNS 0 and reject later versions', async () => {
    const opt = { type: 'OPT', name: '.', udpPayloadSize: 4096 } as const;
    const answer = await ask('shop.apps.localhost', 'A', { additionals: [opt] });
    expect(answer.additionals).toMatchObject([{ type: 'OPT', udpPayloadSize: 1232, ednsVersion: 0 }]);
    const later = await ask('shop.apps.localhost', 'A', { additionals: [{ ...opt, ednsVersion: 1 }] });
    expect(later.additionals).toMatchObject([{ extendedRcode: 1 }]);
    expect(later.answers).toEqual([]);
  });

  it('are truncated over plain UDP and complete over TCP', async () => {
    const long = (letter: string): string => Array.from({ length: 3 }, () => letter.repeat(63)).join('.');
    await put(`${long('a')}.apps.localhost`, `${long('b')}.localhost`);
    const cut = await ask(`${long('a')}.apps.localhost`);
    expect((cut.flags ?? 0) & dnsPacket.TRUNCATED_RESPONSE).toBeTruthy();
    const [whole] = await tcp([dnsPacket.streamEncode(query(`${long('a')}.apps.localhost`))], 1);
    expect(whole?.answers).toHaveLength(1);
  });

  it('are accepted over one TCP connection in any fragmentation', async () => {
    const names = ['shop.apps.localhost', 'other.apps.localhost', 'apps.localhost'];
    const bytes = Buffer.concat(names.map((name) => dnsPacket.streamEncode(query(name))));
    const answers = await tcp(
      Array.from(bytes, (byte) => Buffer.from([byte])),
      3,
    );
    expect(answers.map((answer) => answer.rcode)).toEqual(['NOERROR', 'NXDOMAIN', 'NOERROR']);
  });

  it('with any malformed input do not stop the server', async () => {
    const socket = createSocket('udp4');
    const base = dnsPacket.encode(query('shop.apps.localhost'));
    const mutated = fc
      .array(fc.tuple(fc.nat(base.length - 1), fc.nat(255)), { maxLength: 6 })
      .map((changes) =>
        changes.reduce((bytes, [at, value]) => (bytes.writeUInt8(value, at), bytes), Buffer.from(base)),
      );
    const garbage = fc.uint8Array({ maxLength: 600 }).map((bytes) => Buffer.from(bytes));
    // The valid query after each prevents the system from dropping
    // packets of a flood, and shows that the server still works.
    const send = async (message: Buffer): Promise<void> => {
      await new Promise<void>((resolve) => socket.send(message, dns.port, '127.0.0.1', () => resolve()));
      expect((await ask('shop.apps.localhost')).answers).toHaveLength(1);
    };
    await fc.assert(fc.asyncProperty(fc.oneof(mutated, garbage), send), { numRuns: 1_000 });
    socket.close();
    await new Promise<void>((resolve) => {
      const broken = connect(dns.port, '127.0.0.1', () =>
        broken.write(Buffer.from([0xff, 0xff, 1, 2, 3]), () => broken.resetAndDestroy()),
      );
      broken.once('close', () => resolve());
    });
    expect((await ask('shop.apps.localhost')).answers).toHaveLength(1);
  });
});

describe('control endpoint', () => {
  it('creates a record where none exists and names the existing one otherwise', async () => {
    expect((await put('SHOP.apps.localhost.', 'EDGE.localhost.')).status).toBe(200);
    const conflict = await put('shop.apps.localhost', 'elsewhere.localhost');
    expect(conflict.status).toBe(409);
    expect(await conflict.json()).toEqual({ conflicts: ['shop.apps.localhost'] });
    expect(await recordAt('shop.apps.localhost')).toEqual({ name: 'shop.apps.localhost', type: 'CNAME', ...EDGE });
  });

  it('replaces and removes a record only in the expected state', async () => {
    const name = 'shop.apps.localhost';
    await put(name);
    for (const before of [undefined, { ...EDGE, ttl: 61 }, { ...EDGE, value: 'elsewhere.localhost' }]) {
      expect((await change({ name, before })).status).toBe(409);
    }
    const after = { value: 'other.localhost', ttl: 30 };
    expect((await change({ name, before: EDGE, after })).status).toBe(200);
    expect(await recordAt(name)).toMatchObject(after);
    expect((await change({ name, before: after })).status).toBe(200);
    expect((await change({ name, before: after })).status).toBe(409);
    expect((await control('GET', `/records/${name}`)).status).toBe(404);
  });

  it('applies all changes of a request or none', async () => {
    const [one, two, three] = ['one', 'two', 'three'].map((label) => `${label}.apps.localhost`) as [
      string,
      string,
      string,
    ];
    await put(two);
    const serial = async (): Promise<unknown> => (await ask('apps.localhost', 'SOA')).answers[0];
    const before = await serial();
    const refused = await change({ name: one, after: EDGE }, { name: two, after: EDGE }, { name: three, before: EDGE });
    expect(await refused.json()).toEqual({ conflicts: [two, three] });
    expect(await serial()).toEqual(before);
    expect((await change({ name: one, after: EDGE }, { name: two, before: EDGE })).status).toBe(200);
    expect((await (await control('GET', '/records')).json()) as unknown[]).toMatchObject([{ name: one }]);
  });

  it('applies one of many conflicting changes', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => put('shop.apps.localhost', `e${n}.localhost`)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 19 }, () => 409)]);
  });

  it('rejects a wrong token, other zones and invalid records', async () => {
    expect((await control('GET', '/records', undefined, 'guess')).status).toBe(401);
    expect((await put('shop.example.com')).status).toBe(422);
    expect((await put('apps.localhost')).status).toBe(422);
    expect((await put('a b.apps.localhost')).status).toBe(422);
    const name = 'x.apps.localhost';
    const wrong = [
      ...[{ name: 'a..b' }, { name, type: 'A' }, { name, after: { value: 'a..b', ttl: 60 } }].map((each) => [each]),
      ...[
        { name, after: { value: 'a.b' } },
        { name, after: { value: 'a.b', ttl: -1 } },
      ].map((each) => [each]),
      [
        { name, after: EDGE },
        { name: 'X.apps.localhost', after: EDGE },
      ],
      ...['{', '{}', '[1]'],
    ];
    for (const body of wrong) expect((await control('POST', '/changes', body)).status).toBe(422);
    expect((await control('POST', '/changes', ' '.repeat(1024 * 1024 + 1))).status).toBe(413);
    for (const method of ['PUT', 'DELETE']) expect((await control(method, `/records/${name}`)).status).toBe(405);
    expect((await control('GET', '/changes')).status).toBe(405);
    expect((await control('GET', '/elsewhere')).status).toBe(404);
  });

  it('keeps records after a restart and leaves no partial files', async () => {
    await Promise.all(['a', 'b', 'c'].map((label) => put(`${label}.apps.localhost`)));
    const serial = (await ask('apps.localhost', 'SOA')).answers[0];
    await dns.close();
    expect(await readdir(join(dataDir, 'dns'))).toEqual(['zone.json']);
    dns = await startDns({ dataDir, domain: 'apps.localhost' });
    const list = (await (await control('GET', '/records')).json()) as { name: string }[];
    expect(list.map(({ name }) => name).sort()).toEqual(['a', 'b', 'c'].map((label) => `${label}.apps.localhost`));
    expect((await ask('apps.localhost', 'SOA')).answers[0]).toEqual(serial);
  });
});

describe('start', () => {
  it('names the variable when the port is in use', async () => {
    const second = startDns({ dataDir: join(dataDir, 'second'), domain: 'apps.localhost', port: dns.port });
    await expect(second).rejects.toThrow(/DNS_PORT/);
  });

  it('shares its UDP port with an mDNS daemon on all addresses', async () => {
    const daemon = createSocket({ type: 'udp4', reuseAddr: true });
    // A port that the system chose for UDP may be in use for TCP.
    const port = await freePort();
    await new Promise<void>((resolve) => daemon.bind(port, '0.0.0.0', resolve));
    await dns.close();
    dns = await startDns({ dataDir, domain: 'apps.localhost', port });
    expect((await ask('apps.localhost', 'SOA')).answers).toHaveLength(1);
    daemon.close();
  });

  it('refuses a damaged or foreign zone instead of starting empty', async () => {
    await expect(startDns({ dataDir, domain: 'other.localhost' }).then((d) => d.close())).resolves.toBeUndefined();
    await put('shop.apps.localhost');
    await expect(startDns({ dataDir, domain: 'other.localhost' })).rejects.toThrow(/PLATFORM_DOMAIN/);
    await writeFile(join(dataDir, 'dns', 'zone.json'), '{"domain":');
    await expect(startDns({ dataDir, domain: 'apps.localhost' })).rejects.toThrow(/damaged/);
  });
});
