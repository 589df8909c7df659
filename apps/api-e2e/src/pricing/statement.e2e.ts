import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { PricingStatement } from '@homeport/pricing/contracts';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { request } from 'undici';
import { call, callJson, url } from '../homeport';

describe('the pricing statement', () => {
  let statement: PricingStatement;
  let etag: string;
  let text: string;

  beforeAll(async () => {
    const response = await call('/v1/pricing', { headers: { 'accept-encoding': 'identity' } });
    etag = response.headers.get('etag') as string;
    text = await response.text();
    statement = JSON.parse(text) as PricingStatement;
  });
  /** Returns the response with its raw bytes. */
  const raw = async (encoding: string, more: Record<string, string> = {}) => {
    const headers = { 'accept-encoding': encoding, ...more };
    const { statusCode, headers: answered, body } = await request(`${url}/v1/pricing`, { headers });
    return { status: statusCode, headers: answered, body: Buffer.from(await body.arrayBuffer()) };
  };

  it.each([
    ['br', 'br', brotliDecompressSync],
    ['gzip, deflate', 'gzip', gunzipSync],
    ['gzip, br', 'br', brotliDecompressSync],
    ['br;q=0, gzip;q=0', undefined, (bytes: Buffer) => bytes],
    ['zstd', undefined, (bytes: Buffer) => bytes],
    ['*', 'br', brotliDecompressSync],
  ])('answers the Accept-Encoding %s with the encoding %s and a distinct ETag', async (accepted, encoding, unpack) => {
    const { status, headers, body } = await raw(accepted);
    expect([status, headers['content-encoding'], headers['vary']]).toEqual([200, encoding, 'Accept-Encoding']);
    expect(headers['cache-control']).toBe('max-age=300');
    expect(unpack(body).toString()).toBe(text);
    expect(headers['content-length']).toBe(String(body.length));
    expect(headers['etag'] === etag).toBe(encoding === undefined);
    const again = await raw(accepted, { 'if-none-match': headers['etag'] as string });
    expect([again.status, again.body.length, again.headers['etag']]).toEqual([304, 0, headers['etag']]);
  });

  it('conforms to its own schema', async () => {
    const response = await call('/v1/pricing/schema');
    expect(response.headers.get('content-type')).toBe('application/schema+json; charset=utf-8');
    const schema = (await response.json()) as object;
    expect(schema).toMatchObject({ $schema: 'https://json-schema.org/draft/2020-12/schema' });
    const validate = new Ajv2020({ validateFormats: false }).compile(schema);
    expect(validate(statement) || validate.errors).toBe(true);
    expect(validate({ ...statement, usage: { ...statement.usage, includedUsd: '10' } })).toBe(false);
  });

  it('links to every related resource', async () => {
    const { self, schema, versions } = statement.links;
    for (const path of [self, schema, versions]) expect((await call(path)).status).toBe(200);
    expect((await callJson(statement.links.estimate, '', 'POST', { usage: {} })).status).toBe(200);
    expect((await call('/v1/pricing')).headers.get('link')).toBe(`<${schema}>; rel="describedby"`);
  });

  it('is permanently available under its version', async () => {
    const { items } = (await (await call('/v1/pricing/versions')).json()) as {
      items: { version: string; effectiveAt: string; url: string }[];
    };
    expect(items).toContainEqual({
      version: '2026-10-01',
      effectiveAt: '2026-10-01T00:00:00Z',
      url: '/v1/pricing/versions/2026-10-01',
    });
    const own = items.find(({ version }) => version === statement.version);
    const response = await call(own?.url as string, { headers: { 'accept-encoding': 'identity' } });
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(await response.text()).toBe(text);
  });

  it.each(['1999-01-01', 'next', '..%2f', '%00', 'x'.repeat(5_000)])(
    'answers 404 for the version %s',
    async (version) => {
      const response = await call(`/v1/pricing/versions/${version}`);
      expect([response.status, (await response.json()) as object]).toEqual([
        404,
        expect.objectContaining({ code: 'pricing.version-not-found' }),
      ]);
    },
  );
});

describe('POST /v1/pricing/estimate', () => {
  const estimate = async (body: unknown) => {
    const response = await callJson('/v1/pricing/estimate', '', 'POST', body);
    return [response.status, (await response.json()) as Record<string, unknown>] as const;
  };

  it('returns the cost of a usage, line by line', async () => {
    const usage = { meters: { vault: 1, storage: 250, deploys: 12 }, boxes: { small: 1 }, domains: { premium: '1' } };
    const line = (id: string, amountUsd: number) => expect.objectContaining({ id, amountUsd });
    expect(await estimate({ usage, trial: false })).toEqual([
      200,
      {
        version: '2026-10-01',
        currency: 'USD',
        lines: [line('storage', 12.5), line('vault', 5), line('small', 25), line('premium', 50), line('deploys', 0)],
        includedUsd: 10,
        trialCoveredUsd: 0,
        totalUsd: 82.5,
      },
    ]);
    const [, inTrial] = await estimate({ usage, trial: true, version: '2026-10-01' });
    expect(inTrial).toMatchObject({ includedUsd: 10, trialCoveredUsd: 77.5, totalUsd: 0 });
  });

  it.each([
    [{}, ['usage']],
    [{ usage: null }, ['usage']],
    [{ usage: [] }, ['usage']],
    [{ usage: { meters: { storage: -1, coffee: 2 } } }, ['usage.meters.storage', 'usage.meters.coffee']],
    [{ usage: { meters: { storage: 1e-7 } } }, ['usage.meters.storage']],
    [{ usage: { meters: { storage: 1_000_000_000_001 } } }, ['usage.meters.storage']],
    [{ usage: { meters: { storage: null } } }, ['usage.meters.storage']],
    [{ usage: { seats: { any: 1 } } }, ['usage.seats']],
    [{ usage: {}, trial: 'yes' }, ['trial']],
    [{ usage: {}, trial: null }, ['trial']],
    [{ usage: {}, version: 7 }, ['version', 'version']],
    [{ usage: {}, version: 'latest' }, ['version']],
    [{ usage: {}, coupon: 'free' }, ['coupon']],
  ])('rejects %j', async (body, fields) => {
    const [status, problem] = await estimate(body);
    expect([status, problem['code']]).toEqual([400, 'platform.invalid-request']);
    expect((problem['errors'] as { field: string }[]).map(({ field }) => field)).toEqual(fields);
  });

  it('rejects an estimate with superseded prices', async () => {
    const [status, problem] = await estimate({ usage: {}, version: '2026-09-01' });
    expect([status, problem['code']]).toEqual([409, 'pricing.version-superseded']);
  });
});
