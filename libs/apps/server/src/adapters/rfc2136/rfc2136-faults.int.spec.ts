import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createHmac } from 'node:crypto';
import { createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { RecordConflict, type ZoneRecord } from '../../application/dns/dns-zone.port';
import { RCODE } from './response-reader';
import { encodeMessage, encodeName, TYPE, u16 } from './message';
import { Rfc2136DnsZone } from './rfc2136-dns-zone';
import { parseSignedResponse, type TsigKey } from './tsig';

const KEY: TsigKey = { name: 'homeport', secret: Buffer.from('secret'), algorithm: 'hmac-sha256' };
const ZONE = 'apps.example.com';
const HOSTNAME = `shop.${ZONE}`;
const EDGE = { target: 'edge.example', ttl: 60 };
const SECONDS = 1_800_000_000;
const signal = new AbortController().signal;

/** One request as the server sees it. */
interface Asked {
  readonly message: Buffer;
  readonly mac: Buffer;
  readonly socket: Socket;
}

/** Writes an answer, byte by byte and apart from the code that reads it. */
const answerTo = (
  { message }: Asked,
  { rcode = 0, flags = 0x8000, records = [] as readonly Buffer[] } = {},
): Buffer => {
  const bare = encodeMessage({
    id: message.readUInt16BE(0),
    opcode: 'query',
    question: { name: ZONE, type: TYPE.SOA },
  });
  bare.writeUInt16BE(flags | (message.readUInt16BE(2) & 0x7800) | rcode, 2);
  bare.writeUInt16BE(records.length, 6);
  return Buffer.concat([bare, ...records]);
};

const record = (name: string, type: number, data: Buffer): Buffer =>
  Buffer.concat([encodeName(name), u16(type, 1, 0, 60, data.length), data]);
const soa = record(ZONE, TYPE.SOA, Buffer.concat([encodeName('a'), encodeName('b'), Buffer.alloc(20)]));
const cname = (label: string) => record(`${label}.${ZONE}`, TYPE.CNAME, encodeName(EDGE.target));

/** RFC 8945 section 5.3: `before` is the signature of the request, or of the signed message before this one. */
function signed(
  bare: Buffer,
  { before, skipped = [], key = KEY }: { before: Buffer; skipped?: readonly Buffer[]; key?: TsigKey },
  isFirst = true,
): { readonly message: Buffer; readonly mac: Buffer } {
  const timers = Buffer.concat([u16(0), Buffer.from(SECONDS.toString(16).padStart(8, '0'), 'hex'), u16(300)]);
  const names = [encodeName(key.name), encodeName(key.algorithm)] as const;
  const whole = [names[0], u16(255, 0, 0), names[1], timers, u16(0, 0)];
  const parts = [u16(before.length), before, ...skipped, bare, ...(isFirst ? whole : [timers])];
  const mac = createHmac('sha256', key.secret).update(Buffer.concat(parts)).digest();
  const data = Buffer.concat([names[1], timers, u16(mac.length), mac, bare.subarray(0, 2), u16(0, 0)]);
  const message = Buffer.concat([bare, names[0], u16(TYPE.TSIG, 255, 0, 0, data.length), data]);
  message.writeUInt16BE(1, 10);
  return { message, mac };
}

const framed = (...messages: readonly Buffer[]) =>
  Buffer.concat(messages.flatMap((message) => [u16(message.length), message]));

const believable = (asked: Asked, draft?: Parameters<typeof answerTo>[1]) =>
  framed(signed(answerTo(asked, draft), { before: asked.mac }).message);

describe('a name server that', () => {
  let server: Server;
  let script: (asked: Asked) => void;
  let zone: Rfc2136DnsZone;
  const sockets = new Set<Socket>();

  beforeEach(async () => {
    server = createServer((socket) => {
      sockets.add(socket);
      let received = Buffer.alloc(0);
      socket
        .on('error', () => undefined)
        .on('data', (chunk: Buffer) => {
          received = Buffer.concat([received, chunk]);
          if (received.length < 2 || received.length < 2 + received.readUInt16BE(0)) return;
          const message = received.subarray(2);
          script({ message, mac: parseSignedResponse(message).tsig?.mac ?? Buffer.alloc(0), socket });
        });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    zone = new Rfc2136DnsZone({
      server: { host: '127.0.0.1', port },
      zone: ZONE,
      key: KEY,
      now: () => SECONDS * 1_000,
    });
  });

  afterEach(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });

  const change = (each = signal) => zone.change([{ hostname: HOSTNAME, after: EDGE }], each);
  const list = async () => {
    const found: ZoneRecord[] = [];
    for await (const each of zone.records(signal)) found.push(each);
    return found;
  };
  const everything = () => [change(), zone.find(HOSTNAME, signal), zone.ready(signal), list()];

  it('answers as it should is believed', async () => {
    script = (asked) => asked.socket.write(believable(asked));
    await expect(change()).resolves.toEqual({});
    await expect(zone.ready(signal)).resolves.toBeUndefined();
  });

  it.each<[string, (asked: Asked) => Buffer]>([
    ['does not sign', (asked) => framed(answerTo(asked))],
    ['does not sign a conflict', (asked) => framed(answerTo(asked, { rcode: RCODE.YXDOMAIN }))],
    ['does not sign an absence', (asked) => framed(answerTo(asked, { rcode: RCODE.NXDOMAIN }))],
    ['signs the answer to another request', (asked) => framed(signed(answerTo(asked), { before: KEY.secret }).message)],
    [
      'signs with another secret',
      (asked) => framed(signed(answerTo(asked), { before: asked.mac, key: { ...KEY, secret: asked.mac } }).message),
    ],
    [
      'gives the number of another request',
      (asked) => {
        const answer = believable(asked);
        answer.writeUInt16BE(asked.message.readUInt16BE(0) ^ 1, 2);
        return answer;
      },
    ],
    ['sends a request back', (asked) => framed(asked.message)],
    ['sends no answer but a request', (asked) => believable(asked, { flags: 0 })],
    ['cuts its answer off', (asked) => believable(asked, { flags: 0x8200 })],
    ['fails', (asked) => believable(asked, { rcode: RCODE.SERVFAIL })],
    ['sends nothing at all', () => framed(Buffer.alloc(0))],
    ['sends a header alone', (asked) => framed(asked.message.subarray(0, 12))],
    ['speaks something else', () => Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n'.padEnd(30_000))],
  ])('%s has done nothing that we may tell of', async (_, answer) => {
    script = (asked) => asked.socket.write(answer(asked));
    for (const each of await Promise.allSettled(everything())) {
      expect(each).toMatchObject({ status: 'rejected', reason: { code: 'provider-unavailable' } });
    }
  });

  it.each<[string, (socket: Socket, answer: Buffer) => void]>([
    ['resets the connection', (socket) => socket.resetAndDestroy()],
    ['closes it without a word', (socket) => socket.end()],
    ['closes it half-way', (socket, answer) => socket.end(answer.subarray(0, -1))],
    ['closes it after the length', (socket, answer) => socket.end(answer.subarray(0, 2))],
  ])('%s is named unavailable', async (_, act) => {
    script = (asked) => act(asked.socket, believable(asked));
    for (const each of await Promise.allSettled(everything())) {
      expect(each).toMatchObject({ status: 'rejected', reason: { code: 'provider-unavailable' } });
    }
  });

  it('is not there is named unavailable', async () => {
    const nobody = new Rfc2136DnsZone({ server: { host: '127.0.0.1', port: 1 }, zone: ZONE, key: KEY });
    await expect(nobody.ready(signal)).rejects.toMatchObject({ code: 'provider-unavailable' });
  });

  it('says nothing, or only half of it, is waited for as long as the caller does', async () => {
    const controller = new AbortController();
    script = (asked) => {
      asked.socket.write(believable(asked).subarray(0, -1));
      controller.abort();
    };
    await expect(change(controller.signal)).rejects.toMatchObject({ code: 'timeout' });
  });

  it('says nothing, or drips, is not waited for without end', async () => {
    const timers: NodeJS.Timeout[] = [];
    let count = 0;
    script = (asked) => {
      // One byte of an answer that never becomes whole, again and again.
      if (count++ === 0) timers.push(setInterval(() => asked.socket.write(Buffer.from([1])), 100));
    };
    const results = await Promise.allSettled([change(), zone.ready(signal)]);
    for (const timer of timers) clearInterval(timer);
    for (const each of results) expect(each).toMatchObject({ status: 'rejected', reason: { code: 'timeout' } });
  });

  it('answers in small pieces is understood', async () => {
    script = async (asked) => {
      for (const byte of believable(asked)) {
        await new Promise<void>((resolve) => asked.socket.write(Buffer.from([byte]), () => resolve()));
      }
    };
    await expect(change()).resolves.toEqual({});
  });

  it.each([
    [RCODE.REFUSED, 'access-denied'],
    [RCODE.NOTAUTH, 'zone-missing'],
    [RCODE.NOTZONE, 'zone-missing'],
    [RCODE.FORMERR, 'invalid-record'],
    [RCODE.NOTIMP, 'provider-unavailable'],
    [RCODE.SERVFAIL, 'provider-unavailable'],
  ])('refuses a change with code %d is named', async (rcode, code) => {
    script = (asked) => asked.socket.write(believable(asked, { rcode }));
    await expect(change()).rejects.toMatchObject({ code });
  });

  it.each([RCODE.NXDOMAIN, RCODE.YXDOMAIN, RCODE.YXRRSET, RCODE.NXRRSET])(
    'sees another record, code %d, is a conflict',
    async (rcode) => {
      script = (asked) => asked.socket.write(believable(asked, { rcode }));
      await expect(change()).rejects.toBeInstanceOf(RecordConflict);
    },
  );

  describe('hands its zone over', () => {
    /** The messages of a transfer; those that are not to be signed are signed with the next one that is. */
    const transfer = (asked: Asked, parts: readonly (readonly [boolean, readonly Buffer[]])[]): Buffer => {
      let before = asked.mac;
      let isFirst = true;
      let skipped: Buffer[] = [];
      return framed(
        ...parts.map(([isSigned, records]) => {
          const bare = answerTo(asked, { records });
          if (!isSigned) {
            skipped.push(bare);
            return bare;
          }
          const { message, mac } = signed(bare, { before, skipped }, isFirst);
          [before, skipped, isFirst] = [mac, [], false];
          return message;
        }),
      );
    };

    it('in parts, of which not every one is signed', async () => {
      script = (asked) =>
        asked.socket.write(
          transfer(asked, [
            [true, [soa, cname('a')]],
            [false, [cname('b')]],
            [false, [cname('c'), record(`c.${ZONE}`, 16, Buffer.from([1, 120]))]],
            [true, [cname('d'), soa]],
          ]),
        );
      expect(await list()).toEqual([
        ...['a', 'b'].map((label) => ({ hostname: `${label}.${ZONE}`, cname: EDGE })),
        { hostname: `c.${ZONE}` },
        { hostname: `d.${ZONE}`, cname: EDGE },
      ]);
    });

    it('in one part, and signed with DNSSEC', async () => {
      const signature = record(`a.${ZONE}`, 46, Buffer.concat([Buffer.alloc(18), encodeName(ZONE), Buffer.alloc(8)]));
      script = (asked) => asked.socket.write(transfer(asked, [[true, [soa, cname('a'), signature, soa]]]));
      expect(await list()).toEqual([{ hostname: `a.${ZONE}`, cname: EDGE }]);
    });

    it.each<[string, readonly (readonly [boolean, readonly Buffer[]])[]]>([
      [
        'the end is not signed',
        [
          [true, [soa, cname('a')]],
          [false, [soa]],
        ],
      ],
      ['the end is missing', [[true, [soa, cname('a')]]]],
      ['the beginning is missing', [[true, [cname('a'), soa]]]],
      ['it goes on after its end', [[true, [soa, soa, cname('a')]]]],
      ['too much of it comes unsigned', [[true, [soa]], ...Array.from({ length: 101 }, () => [false, []] as const)]],
    ])('but not as a zone is handed over: %s', async (_, parts) => {
      script = (asked) => asked.socket.end(transfer(asked, parts));
      await expect(list()).rejects.toMatchObject({ code: 'provider-unavailable' });
    });
  });
});
