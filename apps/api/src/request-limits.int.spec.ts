import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type InProcessApi, startInProcessApi } from './testing/in-process-api';

let api: InProcessApi;

beforeAll(async () => {
  api = await startInProcessApi();
});

afterAll(() => api?.stop());

/** @returns the whole response to a raw message, until the server closes the connection. */
async function answerTo(message: string): Promise<string> {
  const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
  await once(socket, 'connect');
  socket.write(message);
  return text(socket);
}

const PARTIAL_BODY = 'Host: a\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{';

describe('a request with an incomplete body', () => {
  it.each([
    ['POST /api/apps', 401, 'identity.unauthenticated'],
    ['DELETE /api/apps/x', 401, 'identity.unauthenticated'],
    ['PUT /api/files/x', 401, 'identity.unauthenticated'],
    ['POST /api/apps/x/deploys', 401, 'identity.unauthenticated'],
    ['POST /v1/pricing', 405, 'platform.method-not-allowed'],
    ['POST /nothing', 404, 'platform.no-route'],
  ])('is rejected before the body is read: %s', async (route, status, code) => {
    const answer = await answerTo(`${route} HTTP/1.1\r\n${PARTIAL_BODY}`);
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(answer).toContain(`"code":"${code}"`);
    expect(answer).toMatch(/\r\nconnection: close\r\n/i);
  });
});

describe('TRACE', () => {
  it.each([
    ['/api/apps', 405],
    ['/v1/pricing', 405],
    ['/health/live', 405],
    ['/nothing', 404],
    ['/', 404],
  ])('is rejected, and repeats no header field: %s', async (path, status) => {
    const fields = 'Host: a\r\nAuthorization: Bearer secret-token\r\nCookie: name=secret-cookie';
    const answer = await answerTo(`TRACE ${path} HTTP/1.1\r\n${fields}\r\nConnection: close\r\n\r\n`);
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(answer).not.toContain('secret');
  });
});

describe('the Host header', () => {
  it.each(['/api/apps', '/v1/pricing', '/health/live', '/nothing', '/'])('must not be repeated: %s', async (path) => {
    const answer = await answerTo(`GET ${path} HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('"code":"platform.invalid-request"');
  });

  it('is required in HTTP/1.1', async () => {
    expect(await answerTo('GET /v1/pricing HTTP/1.1\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /);
  });
});

describe('an estimate with a megabyte of unknown fields', () => {
  it('is rejected with a small response', async () => {
    const fields = Array.from({ length: 900 }, (_, index) => [`${index}${'x'.repeat(1_000)}`, 1]);
    const response = await fetch(`${api.url}/v1/pricing/estimate`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(Object.fromEntries(fields)),
    });
    const answer = await response.text();
    expect(response.status).toBe(400);
    expect((JSON.parse(answer) as { errors: unknown[] }).errors).toHaveLength(50);
    expect(answer.length).toBeLessThan(30_000);
  });
});
