import { afterEach, describe, expect, it } from '@jest/globals';
import { request } from 'undici';
import { type InProcessApi, startInProcessApi } from './testing/in-process-api';

let api: InProcessApi | undefined;

afterEach(async () => {
  await api?.stop();
  api = undefined;
});

/** The precomputed and the regular route: an unknown query is ignored but bypasses the precomputed response. */
const PATHS = ['/v1/pricing', '/v1/pricing?regular'] as const;

async function read(path: string, headers: Record<string, string> = {}) {
  const sent = { 'x-request-id': 'mine', ...headers };
  const response = await request(`${api?.url}${path}`, { headers: sent });
  const responseHeaders: Record<string, unknown> = { ...response.headers, date: 'any' };
  return {
    status: response.statusCode,
    headers: responseHeaders,
    body: Buffer.from(await response.body.arrayBuffer()),
  };
}

describe('the pricing statement', () => {
  it('is identical in precomputed and regular responses', async () => {
    api = await startInProcessApi();
    const regularResponse = await read(PATHS[1]);
    const tags = [
      regularResponse.headers['etag'] as string,
      '*',
      '"other"',
      `W/${String(regularResponse.headers['etag'])}`,
      '',
      'nonsense',
    ];
    for (const encoding of [undefined, 'br', 'gzip', 'br;q=0, gzip', 'identity', 'zstd', '*', '']) {
      for (const tag of [undefined, ...tags]) {
        const headers = {
          ...(encoding === undefined ? {} : { 'accept-encoding': encoding }),
          ...(tag === undefined ? {} : { 'if-none-match': tag }),
        };
        const [precomputed, regular] = [await read(PATHS[0], headers), await read(PATHS[1], headers)];
        expect(precomputed).toEqual(regular);
      }
    }
  });

  it('shares one rate limit between precomputed and regular responses', async () => {
    api = await startInProcessApi({ RATE_LIMIT_PER_ADDRESS: '6' });
    const seen: unknown[] = [];
    for (let i = 0; i < 8; i += 1) {
      const { status, headers } = await read(PATHS[i % 2] as string);
      const remaining = /r=(\d+)/.exec(String(headers['ratelimit']))?.[1];
      seen.push([status, remaining, headers['ratelimit-policy'], headers['retry-after'] !== undefined]);
    }
    const policy = '"address";q=6;w=60';
    expect(seen).toEqual([
      ...['5', '4', '3', '2', '1', '0'].map((remaining) => [200, remaining, policy, false]),
      [429, '0', policy, true],
      [429, '0', policy, true],
    ]);
    // X-Forwarded-For of a caller that is no trusted proxy does not make it another caller.
    expect((await read(PATHS[0], { 'x-forwarded-for': '198.51.100.1' })).status).toBe(429);
  });

  it('counts callers separately behind a trusted proxy', async () => {
    api = await startInProcessApi({ RATE_LIMIT_PER_ADDRESS: '1', TRUSTED_PROXIES: '127.0.0.1' });
    const from = async (address: string) => (await read(PATHS[0], { 'x-forwarded-for': address })).status;
    expect([await from('198.51.100.1'), await from('198.51.100.2'), await from('198.51.100.1')]).toEqual([
      200, 200, 429,
    ]);
  });
});
