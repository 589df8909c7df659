import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { AccessGuard } from '@homeport/identity/server';
import { PrecomputedStatement } from '@homeport/pricing/server';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type InProcessApi, startInProcessApi } from './testing/in-process-api';

let api: InProcessApi;
let sendPrices: ReturnType<typeof spyOnPrices>;
let guard: ReturnType<typeof spyOnGuard>;

const spyOnPrices = () => jest.spyOn(api.server.app.get(PrecomputedStatement, { strict: false }), 'responseTo');
const spyOnGuard = () => jest.spyOn(api.server.app.get(AccessGuard, { strict: false }), 'canActivate');

beforeAll(async () => {
  api = await startInProcessApi();
  [sendPrices, guard] = [spyOnPrices(), spyOnGuard()];
  // Loads the prices, so that later requests get the precomputed response.
  expect(await statusOf('/v1/pricing', 'Host: a\r\n')).toBe(200);
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

const timesRun = () => guard.mock.calls.length + sendPrices.mock.calls.length;

describe('a request with two Host headers', () => {
  it.each([
    ['/v1/pricing', 200],
    ['/v1/pricing?regular', 200],
    ['/api/apps', 401],
    ['/%zz', 404],
  ])('runs no handler, and later requests are served: %s', async (path, expectedStatus) => {
    expect(await statusOf(path, 'Host: a\r\nHost: b\r\n')).toBe(400);
    expect(timesRun()).toBe(0);
    expect(await statusOf(path, 'Host: a\r\n')).toBe(expectedStatus);
    expect(timesRun()).toBe(path === '/%zz' ? 0 : 1);
  });
});
