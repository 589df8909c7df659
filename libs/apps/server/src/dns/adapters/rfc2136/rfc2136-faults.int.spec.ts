import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createHmac } from 'node:crypto';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { RecordConflict, type ZoneRecord } from '../../application/dns-zone.port';
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

interface ReceivedRequest {
  readonly message: Buffer;
  readonly mac: Buffer;
  readonly socket: Socket;
}

/** Encodes a response independently of the code under test. */
const answerTo = (
  { message }: ReceivedRequest,
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

const signedAnswer = (request: ReceivedRequest, draft?: Parameters<typeof answerTo>[1]) =>
  framed(signed(answerTo(request, draft), { before: request.mac }).message);

describe('a name server that', () => {
  let server: Server;
  let script: (request: ReceivedRequest) => void;
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

  it('signs its response is trusted', async () => {
    script = (request) => request.socket.write(signedAnswer(request));
    await expect(change()).resolves.toEqual({});
    await expect(zone.ready(signal)).resolves.toBeUndefined();
  });

  it.each<[string, (request: ReceivedRequest) => Buffer]>([
    ['does not sign', (request) => framed(answerTo(request))],
    ['does not sign a conflict', (request) => framed(answerTo(request, { rcode: RCODE.YXDOMAIN }))],
    ['does not sign an absence', (request) => framed(answerTo(request, { rcode: RCODE.NXDOMAIN }))],
    ['signs for another request', (request) => framed(signed(answerTo(request), { before: KEY.secret }).message)],
    [
      'signs with another secret',
      (request) =>
        framed(signed(answerTo(request), { before: request.mac, key: { ...KEY, secret: request.mac } }).message),
    ],
    [
      'sends the id of another request',
      (request) => {
        const answer = signedAnswer(request);
        answer.writeUInt16BE(request.message.readUInt16BE(0) ^ 1, 2);
        return answer;
      },
    ],
    ['sends a request back', (request) => framed(request.message)],
    ['sends a request instead of a response', (request) => signedAnswer(request, { flags: 0 })],
    ['truncates its response', (request) => signedAnswer(request, { flags: 0x8200 })],
    ['fails', (request) => signedAnswer(request, { rcode: RCODE.SERVFAIL })],
    ['sends nothing at all', () => framed(Buffer.alloc(0))],
    ['sends a header alone', (request) => framed(request.message.subarray(0, 12))],
    ['speaks another protocol', () => Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n'.padEnd(30_000))],
  ])('%s is reported as unavailable', async (_, answer) => {
    script = (request) => request.socket.write(answer(request));
    for (const each of await Promise.allSettled(everything())) {
      expect(each).toMatchObject({ status: 'rejected', reason: { code: 'provider-unavailable' } });
    }
  });

  it.each<[string, (socket: Socket, answer: Buffer) => void]>([
    ['resets the connection', (socket) => socket.resetAndDestroy()],
    ['closes the connection without a response', (socket) => socket.end()],
    ['closes the connection within the response', (socket, answer) => socket.end(answer.subarray(0, -1))],
    ['closes the connection after the length', (socket, answer) => socket.end(answer.subarray(0, 2))],
  ])('%s is reported as unavailable', async (_, act) => {
    script = (request) => act(request.socket, signedAnswer(request));
    for (const each of await Promise.allSettled(everything())) {
      expect(each).toMatchObject({ status: 'rejected', reason: { code: 'provider-unavailable' } });
    }
  });

  it('cannot be reached is reported as unavailable', async () => {
    const unreachable = new Rfc2136DnsZone({ server: { host: '127.0.0.1', port: 1 }, zone: ZONE, key: KEY });
    await expect(unreachable.ready(signal)).rejects.toMatchObject({ code: 'provider-unavailable' });
  });

  it('sends no complete response lets the caller abort', async () => {
    const controller = new AbortController();
    script = (request) => {
      request.socket.write(signedAnswer(request).subarray(0, -1));
      controller.abort();
    };
    await expect(change(controller.signal)).rejects.toMatchObject({ code: 'timeout' });
  });

  it('sends no complete response causes a timeout', async () => {
    const timers: NodeJS.Timeout[] = [];
    let count = 0;
    script = (request) => {
      // One byte at a time of a response that never becomes complete.
      if (count++ === 0) timers.push(setInterval(() => request.socket.write(Buffer.from([1])), 100));
    };
    const results = await Promise.allSettled([change(), zone.ready(signal)]);
    for (const timer of timers) clearInterval(timer);
    for (const each of results) expect(each).toMatchObject({ status: 'rejected', reason: { code: 'timeout' } });
  });

  it('sends its response byte by byte is understood', async () => {
    script = async (request) => {
      for (const byte of signedAnswer(request)) {
        await new Promise<void>((resolve) => request.socket.write(Buffer.from([byte]), () => resolve()));
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
  ])('rejects a change with code %d causes the failure %s', async (rcode, code) => {
    script = (request) => request.socket.write(signedAnswer(request, { rcode }));
    await expect(change()).rejects.toMatchObject({ code });
  });

  it.each([RCODE.NXDOMAIN, RCODE.YXDOMAIN, RCODE.YXRRSET, RCODE.NXRRSET])(
    'reports another record with code %d causes a conflict',
    async (rcode) => {
      script = (request) => request.socket.write(signedAnswer(request, { rcode }));
      await expect(change()).rejects.toBeInstanceOf(RecordConflict);
    },
  );

  describe('transfers its zone', () => {
    /** The messages of a transfer. The next signature covers the messages that are not signed. */
    const transfer = (request: ReceivedRequest, parts: readonly (readonly [boolean, readonly Buffer[]])[]): Buffer => {
      let before = request.mac;
      let isFirst = true;
      let skipped: Buffer[] = [];
      return framed(
        ...parts.map(([isSigned, records]) => {
          const bare = answerTo(request, { records });
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

    it('in several messages, not all of them signed', async () => {
      script = (request) =>
        request.socket.write(
          transfer(request, [
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

    it('in one message, with DNSSEC signatures', async () => {
      const signature = record(`a.${ZONE}`, 46, Buffer.concat([Buffer.alloc(18), encodeName(ZONE), Buffer.alloc(8)]));
      script = (request) => request.socket.write(transfer(request, [[true, [soa, cname('a'), signature, soa]]]));
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
    ])('incorrectly, is reported as unavailable: %s', async (_, parts) => {
      script = (request) => request.socket.end(transfer(request, parts));
      await expect(list()).rejects.toMatchObject({ code: 'provider-unavailable' });
    });
  });
});
