import 'reflect-metadata';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Body, Controller, Delete, Get, Module, Post, Put, Req } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import { pino } from 'pino';
import { ProblemFilter } from './problems/problem.filter';
import { ConnectionTracker } from '../node-http/connection-tracker';
import { installBodyParsing, JsonBodyGuard, StreamedBody } from './request-bodies';
import { installConnectionLimits } from './connection-limits';
import type { IncompleteBodiesOptions } from './incomplete-bodies';

const MIB = 1024 * 1024;
const JSON_TYPE = { 'content-type': 'application/json' };

@Controller()
class SampleController {
  @Post('json')
  parsed(@Body() body: unknown): { body: unknown } {
    return { body };
  }

  @Get('json')
  read(): { read: true } {
    return { read: true };
  }

  @Delete('json')
  removed(@Body() body: unknown): { body: unknown } {
    return { body };
  }

  @StreamedBody()
  @Put('stream')
  async streamed(@Req() { body }: FastifyRequest<{ Body: Readable }>): Promise<{ base64: string }> {
    const chunks = (await body.toArray()) as Buffer[];
    return { base64: Buffer.concat(chunks).toString('base64') };
  }
}

@Module({ controllers: [SampleController] })
class SampleModule {}

let app: NestFastifyApplication;
let port: number;
let shortTimeoutApp: NestFastifyApplication;
const logged: string[] = [];
let onAnswer: () => void = () => undefined;

async function started(limits?: IncompleteBodiesOptions): Promise<NestFastifyApplication> {
  const loggerInstance = pino({ level: 'info' }, { write: (line: string) => void logged.push(line) });
  const adapter = new FastifyAdapter({
    loggerInstance,
    disableRequestLogging: true,
    bodyLimit: Number.MAX_SAFE_INTEGER,
  });
  const created = await NestFactory.create<NestFastifyApplication>(SampleModule, adapter, {
    bodyParser: false,
    logger: false,
    abortOnError: false,
  });
  const fastify = adapter.getInstance();
  fastify.addHook('onSend', async () => onAnswer());
  installBodyParsing(fastify);
  created.useGlobalGuards(new JsonBodyGuard());
  created.useGlobalFilters(new ProblemFilter());
  await created.init();
  await fastify.ready();
  if (limits) installConnectionLimits(fastify, new ConnectionTracker(), limits);
  await created.listen(0, '127.0.0.1');
  return created;
}

beforeAll(async () => {
  app = await started();
  shortTimeoutApp = await started({ callerOf: () => 'caller', timeLimitMs: 20 });
  ({ port } = app.getHttpServer().address() as AddressInfo);
});

afterAll(() => Promise.all([app.close(), shortTimeoutApp.close()]));
beforeEach(() => {
  logged.length = 0;
});

async function send(
  body: string | Buffer,
  headers: Record<string, string> = JSON_TYPE,
  method: 'POST' | 'DELETE' = 'POST',
) {
  const answer = await app.inject({ method, url: '/json', headers, payload: body });
  return { status: answer.statusCode, ...answer.json<{ body?: unknown; code?: string; detail?: string }>() };
}

/** Opens a request whose body the test writes; the body may stay incomplete. */
function open(headers: Record<string, string>, at = port) {
  const call = request({ host: '127.0.0.1', port: at, method: 'POST', path: '/json', headers });
  const answer = new Promise<{ status: number | undefined; connection: string | undefined; code: string }>(
    (resolve, reject) => {
      call.on('response', (response) => {
        response.toArray().then((chunks: Buffer[]) => {
          const { code } = JSON.parse(Buffer.concat(chunks).toString()) as { code: string };
          resolve({ status: response.statusCode, connection: response.headers.connection, code });
        }, reject);
      });
      call.on('error', reject);
    },
  );
  return { call, answer };
}

describe('a JSON body', () => {
  it.each(['application/json', 'Application/JSON', 'application/json; charset=utf-8', 'application/json;v=1'])(
    'is accepted as %s',
    async (type) => {
      const { status, body } = await send('{"a":["ü",1,null]}', { 'content-type': type });
      expect([status, body]).toEqual([201, { a: ['ü', 1, null] }]);
    },
  );

  it.each([
    'text/plain',
    'application/jsonx',
    'application/json5',
    'application/problem+json',
    'xapplication/json',
    'multipart/form-data; boundary=x',
    'application/x-www-form-urlencoded',
    'text/plain; application/json',
    'nonsense',
  ])('is rejected as %s', async (type) => {
    expect(await send('{}', { 'content-type': type })).toMatchObject({
      status: 415,
      code: 'platform.unsupported-media-type',
    });
  });

  it('is rejected without a media type', async () => {
    const { call, answer } = open({ 'content-length': '2' });
    call.end('{}');
    expect(await answer).toMatchObject({ status: 415, code: 'platform.unsupported-media-type' });
  });

  it('is optional when only a media type is sent', async () => {
    const { call, answer } = open({ ...JSON_TYPE, 'content-length': '0' });
    call.end();
    expect(await answer).toMatchObject({ status: 201 });
  });

  it.each([' ', '{', '{"a":1}}', "{'a':1}", 'undefined', '{"a":NaN}', '{"a":1,}', '\0'])(
    'is rejected when it is %j',
    async (text) => {
      const { call, answer } = open({ ...JSON_TYPE, 'content-length': String(text.length) });
      call.end(text);
      expect(await answer).toMatchObject({ status: 400, code: 'platform.invalid-request' });
    },
  );

  it.each([
    [0x22, 0xff, 0x22],
    [0x22, 0xc3, 0x22],
    [0x22, 0xed, 0xa0, 0x80, 0x22],
    [0x22, 0xc0, 0x80, 0x22],
  ])('is rejected when it is not UTF-8 (case %#)', async (...bytes) => {
    const { status, code, detail } = await send(Buffer.from(bytes));
    expect([status, code]).toEqual([400, 'platform.invalid-request']);
    expect(detail).toContain('UTF-8');
  });

  it.each([
    '{"__proto__":{"admin":true}}',
    '{"a":[{"__proto__":null}]}',
    '{"\\u005f_proto__":{}}',
    '{"constructor":{"prototype":{"admin":true}}}',
  ])('is rejected when it sets a prototype: %s', async (text) => {
    expect(await send(text)).toMatchObject({ status: 400, code: 'platform.invalid-request' });
    expect({}).not.toHaveProperty('admin');
  });

  it.each([32, 5_000, 250_000])('is rejected when it is nested %i levels deep', async (levels) => {
    const text = `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`;
    expect(await send(text, JSON_TYPE)).toMatchObject({ status: 400, code: 'platform.invalid-request' });
  });

  it.each([
    ['an object', `{${Array.from({ length: 50_000 }, (_, n) => `"f${n}":1`).join(',')}}`],
    ['a list', `{"a":[${'1,'.repeat(1_000)}1]}`],
    ['many lists', `{"a":[${'[1],'.repeat(600)}[1]]}`],
  ])('is rejected when %s has too many values', async (_what, text) => {
    expect(await send(text)).toMatchObject({ status: 400, code: 'platform.invalid-request' });
  });

  it.each(['toString', 'constructor', 'hasOwnProperty', 'valueOf'])(
    'is rejected with a field of Object.prototype: %s',
    async (name) => {
      for (const text of [`{"${name}":1}`, `{"a":{"${name}":{}}}`]) {
        expect(await send(text)).toMatchObject({ status: 400, code: 'platform.invalid-request' });
      }
    },
  );

  it('is not required', async () => {
    const answer = await app.inject({ method: 'GET', url: '/json', headers: JSON_TYPE });
    expect(answer.json()).toEqual({ read: true });
    expect((await app.inject({ method: 'POST', url: '/json' })).statusCode).toBe(201);
    expect((await app.inject({ method: 'DELETE', url: '/json' })).statusCode).toBe(200);
  });

  it('follows the same rules for every method', async () => {
    expect(await send('{"a":1}', JSON_TYPE, 'DELETE')).toMatchObject({ status: 200, body: { a: 1 } });
    expect(await send('{"__proto__":1}', JSON_TYPE, 'DELETE')).toMatchObject({ status: 400 });
  });
});

describe('the size of a JSON body', () => {
  const jsonOf = (bytes: number) => JSON.stringify('x'.repeat(bytes - 2));

  it('may be exactly 1 MiB', async () => {
    expect((await send(jsonOf(MIB))).status).toBe(201);
  });

  it('is rejected by its declared size before the body arrives', async () => {
    const { call, answer } = open({ ...JSON_TYPE, 'content-length': String(MIB + 1) });
    call.flushHeaders();
    expect(await answer).toEqual({ status: 413, connection: 'close', code: 'platform.payload-too-large' });
    call.destroy();
  });

  it('is rejected by its counted size when no size is declared', async () => {
    const { call, answer } = open({ ...JSON_TYPE, 'transfer-encoding': 'chunked' });
    for (let sent = 0; sent <= MIB; sent += 64 * 1024) call.write('x'.repeat(64 * 1024));
    expect(await answer).toEqual({ status: 413, connection: 'close', code: 'platform.payload-too-large' });
    call.destroy();
  });

  it('is counted in bytes and may be 1 MiB when no size is declared', async () => {
    const { call, answer } = open({ ...JSON_TYPE, 'transfer-encoding': 'chunked' });
    call.write('"');
    call.end(`${'ü'.repeat(MIB / 2 - 1)}"`);
    expect((await answer).status).toBe(201);
  });
});

describe('a truncated JSON body', () => {
  it('is not logged as an error', async () => {
    const answered = new Promise<void>((resolve) => (onAnswer = resolve));
    const { call, answer } = open({ ...JSON_TYPE, 'content-length': '100' });
    answer.catch(() => undefined);
    call.write('{"a":', () => call.destroy());
    await answered;
    expect(logged.filter((line) => (JSON.parse(line) as { level: number }).level >= 50)).toEqual([]);
  });
});

describe('a streamed body', () => {
  const BYTES = Buffer.from([0x7b, 0xff, 0x00, 0x22, 0x0a]);

  it.each(['application/json', 'text/markdown', 'application/octet-stream', 'multipart/form-data; boundary=x'])(
    'is passed on byte for byte as %s',
    async (type) => {
      const answer = await app.inject({
        method: 'PUT',
        url: '/stream',
        headers: { 'content-type': type },
        payload: BYTES,
      });
      expect([answer.statusCode, answer.json()]).toEqual([200, { base64: BYTES.toString('base64') }]);
    },
  );

  it('may exceed the limit for JSON', async () => {
    const large = Buffer.alloc(3 * MIB, 'ab');
    const answer = await app.inject({ method: 'PUT', url: '/stream', headers: JSON_TYPE, payload: large });
    expect(answer.json()).toEqual({ base64: large.toString('base64') });
  });

  it('may contain __proto__, because it is not parsed', async () => {
    const payload = '{"__proto__":{}}';
    const answer = await app.inject({ method: 'PUT', url: '/stream', headers: JSON_TYPE, payload });
    expect(answer.json()).toEqual({ base64: Buffer.from(payload).toString('base64') });
  });
});

describe('a JSON body that stays incomplete', () => {
  it.each<Record<string, string>>([{ 'content-length': '100' }, { 'transfer-encoding': 'chunked' }])(
    'is rejected with 408 and %j',
    async (framing) => {
      const { port: at } = shortTimeoutApp.getHttpServer().address() as AddressInfo;
      const { call, answer } = open({ ...JSON_TYPE, ...framing }, at);
      call.write('{');
      expect(await answer).toEqual({ status: 408, connection: 'close', code: 'platform.request-timeout' });
      call.destroy();
    },
  );
});
