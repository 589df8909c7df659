import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { DedicatedPostgres } from '../apps/dedicated-postgres';
import { ApiFixture } from '../apps/api-fixture';
import type { ApiProcess } from '../product-processes';
import { callAt } from '../homeport';
import { expectWithin, isFull, until } from '../suites';

const ROOT = join(import.meta.dirname, '../../../..');
const PUBLISH = join(ROOT, 'dist/api/apps/api/src/publish/main.js');
/** The requirement is 1 s; the rest is a margin for a busy machine. */
const RECOVERY_LIMIT_MS = 2_500;

/** What a corrupted catalog has, and the assignments that corrupt it; the first two are the sample. */
const CORRUPTIONS = [
  ['other bytes', `body = convert_to(replace(convert_from(body, 'UTF8'), '0.05', '0.04'), 'UTF8')`],
  [
    'other bytes under their own hash',
    `body = convert_to(replace(convert_from(body, 'UTF8'), '0.05', '0.04'), 'UTF8'),
     sha256 = sha256(convert_to(replace(convert_from(body, 'UTF8'), '0.05', '0.04'), 'UTF8'))`,
  ],
  ['half of the bytes', `body = substring(body for 900), sha256 = sha256(substring(body for 900))`],
  ['another source', `source = jsonb_set(source, '{usage}', '{}')`],
  ['a later beginning', `effective_at = now() + interval '1 hour'`],
] as const;

async function pricesAt({ url }: ApiProcess): Promise<{ status: number; text: string; headers: Headers }> {
  const { status, headers, ...response } = await callAt(url, '/v1/pricing').then(async (answer) => ({
    status: answer.status,
    headers: answer.headers,
    text: await answer.text(),
  }));
  return { status, headers, text: response.text };
}

/** Expects a problem without any price: no amount, and no digits other than those of the problem itself. */
function expectNoPrice({ status, headers, text }: Awaited<ReturnType<typeof pricesAt>>): void {
  const { request_id, ...problem } = JSON.parse(text) as { request_id: string };
  expect(request_id).not.toBe('');
  expect([status, problem]).toMatchObject([503, { status: 503, code: 'pricing.catalog-unavailable' }]);
  expect(JSON.stringify(problem).replaceAll('503', '')).not.toMatch(/\d/);
  expect(headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
  expect([headers.get('cache-control'), headers.get('retry-after'), headers.get('etag')]).toEqual([
    'no-store',
    '5',
    null,
  ]);
}

describe('prices of running instances', () => {
  let postgres: DedicatedPostgres;
  let fixture: ApiFixture;
  let warm: ApiProcess;
  let cold: ApiProcess;

  beforeAll(async () => {
    postgres = await DedicatedPostgres.start();
    fixture = await ApiFixture.open(postgres.url);
    await fixture.embeddedDns();
    [warm, cold] = await Promise.all([fixture.api(), fixture.api()]);
  });
  afterAll(async () => {
    await postgres.thaw();
    await fixture.close();
    await postgres.remove();
  });

  it('are served from the cache or not at all while PostgreSQL is stopped, and again after the recovery', async () => {
    const { text } = await pricesAt(warm);
    await postgres.stop();
    for (let i = 0; i < 5; i += 1) {
      expect(await pricesAt(warm)).toMatchObject({ status: 200, text });
      expectNoPrice(await pricesAt(cold));
    }
    const estimate = await callAt(cold.url, '/v1/pricing/estimate', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"usage":{"meters":{"storage":7}}}',
    });
    expect([estimate.status, await estimate.text()]).toEqual([503, expect.not.stringContaining('0.35')]);
    await postgres.restart();
    const began = performance.now();
    await until(async () => (await pricesAt(cold)).status === 200);
    expectWithin(performance.now() - began, RECOVERY_LIMIT_MS, 'recovered');
    expect((await pricesAt(cold)).text).toBe(text);
  });

  it('are served without delay while PostgreSQL is frozen', async () => {
    const { text } = await pricesAt(warm);
    await postgres.freeze();
    try {
      for (let i = 0; i < 3; i += 1) expect(await pricesAt(warm)).toMatchObject({ status: 200, text });
    } finally {
      await postgres.thaw();
    }
  });

  it.each(isFull ? CORRUPTIONS : CORRUPTIONS.slice(0, 2))(
    'are rejected by an instance that finds %s',
    async (_what, change) => {
      const client = new pg.Client({ connectionString: postgres.url });
      await client.connect();
      const tamper = async (assignments: string) => {
        // Simulates corruption: only a superuser can disable constraints.
        await client.query('begin');
        await client.query('alter table pricing.revisions disable trigger all');
        await client.query('alter table pricing.revisions drop constraint if exists revisions_hash');
        await client.query('alter table pricing.revisions drop constraint if exists revisions_own_body');
        await client.query('alter table pricing.revisions drop constraint if exists revisions_not_back_dated');
        await client.query(`update pricing.revisions set ${assignments} where version = '2026-10-01'`);
        await client.query('alter table pricing.revisions enable trigger all');
        await client.query('commit');
      };
      const [saved] = (await client.query('select effective_at, source, body, sha256 from pricing.revisions')).rows as {
        effective_at: Date;
        source: object;
        body: Buffer;
        sha256: Buffer;
      }[];
      try {
        await tamper(change);
        const fresh = await fixture.api();
        expectNoPrice(await pricesAt(fresh));
        expect((await pricesAt(warm)).status).toBe(200);
        const { effective_at, source, body, sha256 } = saved as NonNullable<typeof saved>;
        await tamper(
          `effective_at = '${effective_at.toISOString()}', source = '${JSON.stringify(source).replaceAll("'", "''")}',
         body = '\\x${body.toString('hex')}', sha256 = '\\x${sha256.toString('hex')}'`,
        );
        const began = performance.now();
        await until(async () => (await pricesAt(fresh)).status === 200);
        expectWithin(performance.now() - began, RECOVERY_LIMIT_MS, 'recovered');
        await fresh.kill();
      } finally {
        await client.end();
      }
    },
  );

  it('have the same bytes on all instances after a publication', async () => {
    const apis = [warm, cold];
    const [before, other] = await Promise.all(apis.map(pricesAt));
    expect(other?.text).toBe(before?.text);
    const folder = await mkdtemp(join(tmpdir(), 'catalog-'));
    await cp(join(ROOT, 'libs/pricing/catalog'), folder, { recursive: true });
    const signup = JSON.parse(await readFile(join(folder, 'signup.json'), 'utf8')) as { free: object };
    await writeFile(
      join(folder, 'signup.json'),
      JSON.stringify({ ...signup, free: { ...signup.free, label: 'Begin' } }),
    );
    const child = spawn(process.execPath, [PUBLISH, '--confirm', '--catalog', folder], {
      env: { ...process.env, DATABASE_URL: postgres.url },
      stdio: 'ignore',
    });
    const exit = await once(child, 'exit');
    await rm(folder, { recursive: true });
    expect(exit).toEqual([0, null]);
    const changed = async () => (await Promise.all(apis.map(pricesAt))).every(({ text }) => text.includes('"Begin"'));
    await until(changed);
    const [one, two] = await Promise.all(apis.map(pricesAt));
    expect(two?.text).toBe(one?.text);
    expect(two?.headers.get('etag')).toBe(one?.headers.get('etag'));
    expect(one?.headers.get('etag')).not.toBe(before?.headers.get('etag'));
  });
});
