import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { AccessGuard } from '@homeport/identity/server/nest';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type InProcessApi, startInProcessApi } from './testing/in-process-api';

let api: InProcessApi;
let guard: ReturnType<typeof spyOnGuard>;

const spyOnGuard = () => jest.spyOn(api.server.app.get(AccessGuard, { strict: false }), 'canActivate');

beforeAll(async () => {
  api = await startInProcessApi();
  guard = spyOnGuard();
});

beforeEach(() => void jest.clearAllMocks());

afterAll(() => api?.stop());

async function statusOf(path: string, hosts: string): Promise<number> {
  const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
  await once(socket, 'connect');
  socket.write(`GET ${path} HTTP/1.1\r\n${hosts}Connection: close\r\n\r\n`);
  const answer = await text(socket);
  expect(answer.match(/^HTTP\/1\.1 /gm)).toHaveLength(1);
  return Number(answer.slice(9, 12));
}

it('rejects a request without a Host header with Problem Details', async () => {
  const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
  socket.write('GET /health/live HTTP/1.1\r\nConnection: close\r\n\r\n');
  const answer = await text(socket);
  expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n[^]*application\/problem\+json/i);
  expect(answer).toMatch(/^x-request-id: /im);
});

describe('a request with two Host headers', () => {
  it.each([
    ['/v1/pricing', 200],
    ['/v1/pricing?any', 200],
    ['/api/apps', 401],
    ['/%zz', 404],
  ])('runs no handler, and later requests are served: %s', async (path, expectedStatus) => {
    expect(await statusOf(path, 'Host: a\r\nHost: b\r\n')).toBe(400);
    expect(guard).not.toHaveBeenCalled();
    expect(await statusOf(path, 'Host: a\r\n')).toBe(expectedStatus);
    expect(guard).toHaveBeenCalledTimes(path === '/%zz' ? 0 : 1);
  });
});
