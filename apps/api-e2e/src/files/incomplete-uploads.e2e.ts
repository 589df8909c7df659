import { beforeAll, describe, expect, it } from '@jest/globals';
import { connect } from 'node:net';
import { products } from '../homeport';
import { createTestTenant, type TestTenant } from './test-tenant';

describe.each(products)('incomplete uploads, on $storage', ({ url }) => {
  let tenant: TestTenant;

  beforeAll(async () => {
    tenant = await createTestTenant(url);
  });

  it('rejects a file that is declared too large before its body is sent', async () => {
    const { ada, at } = tenant;
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(new URL(url).port), '127.0.0.1');
      let text = '';
      socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
      socket.on('close', () => resolve(text));
      socket.on('error', reject);
      socket.write(
        `PUT ${at('huge')} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${ada}\r\n` +
          `Content-Length: 104857601\r\nExpect: 100-continue\r\n\r\n`,
      );
    });
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer).toMatch(/"files\.too-large"/);
  });

  it('rejects a transfer coding that would be stored as file content', async () => {
    const { ada, at, call } = tenant;
    const codings = `Transfer-Encoding: gzip, chunked\r\nConnection: close`;
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(new URL(url).port), '127.0.0.1');
      let text = '';
      socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
      socket.on('close', () => resolve(text));
      socket.on('error', reject);
      const head = `Host: localhost\r\nAuthorization: Bearer ${ada}\r\n${codings}\r\n\r\n`;
      socket.write(`PUT ${at('coded')} HTTP/1.1\r\n${head}5\r\nhello\r\n0\r\n\r\n`);
    });
    expect(answer).toMatch(/^HTTP\/1\.1 415 /);
    expect((await call(at('coded'), { token: ada })).status).toBe(404);
  });

  it('delivers a rejection to a client that sends the whole body before it reads', async () => {
    const { ada, at } = tenant;
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.pause();
    const head = `Host: localhost\r\nAuthorization: Bearer ${ada}\r\nContent-Length: 104857601\r\n\r\n`;
    socket.write(`PUT ${at('huge')} HTTP/1.1\r\n${head}`);
    for (let sent = 0; sent < 32; sent += 1) await new Promise((done) => socket.write(Buffer.alloc(1024 * 1024), done));
    const answer = await new Promise<string>((resolve, reject) => {
      let text = '';
      socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
      socket.on('end', () => resolve(text));
      socket.on('error', reject);
      socket.resume();
    });
    socket.destroy();
    expect(answer).toMatch(/^HTTP\/1\.1 413 [^]*"files\.too-large"/);
  });

  it('survives aborted uploads and shows nothing of them', async () => {
    const { ada, at, call, folder, list } = tenant;
    await Promise.all(
      Array.from({ length: 50 }, (_, i) => {
        const socket = connect(Number(new URL(url).port), '127.0.0.1');
        socket.on('error', () => undefined);
        return new Promise<void>((resolve) => {
          socket.on('close', () => resolve());
          const headers = `Host: localhost\r\nAuthorization: Bearer ${ada}\r\nContent-Length: 100000\r\n`;
          socket.write(`PUT ${at(`aborted-${i}`)} HTTP/1.1\r\n${headers}\r\n${'x'.repeat(i * 1_000)}`, () =>
            socket.destroy(),
          );
        });
      }),
    );
    const { items } = await list(ada, `prefix=${folder}/aborted-`);
    expect(items).toEqual([]);
    expect((await call('/health/live')).status).toBe(200);
  });
});
