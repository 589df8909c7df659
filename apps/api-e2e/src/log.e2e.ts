import { once } from 'node:events';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { freePort } from '@homeport/dev-services';
import { UNTRUSTED_CERTIFICATE } from '@homeport/platform/server/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { settings } from './homeport';
import { LoggedProcess, type LogLine } from './logged-process';
import { isFull } from './suites';

const WRONG_DATABASES = [
  ['a wrong password', (url: URL) => (url.password = 'wrong-password'), '28P01'],
  ['an unknown database', (url: URL) => (url.pathname = '/unknown'), '3D000'],
  ['no server', (url: URL) => (url.port = '1'), 'ECONNREFUSED'],
] as const;
const WRONG_STORAGES = [
  [{ S3_ACCESS_KEY_ID: 'UNKNOWNKEY' }, 'InvalidAccessKeyId'],
  [{ S3_ENDPOINT: 'http://127.0.0.1:1' }, 'ECONNREFUSED'],
  [{ S3_BUCKET: 'no-such-bucket' }, 'NoSuchBucket'],
] as const;

/** Each case starts a process or two: the gate has the first one. */
const sampleOf = <T>(cases: readonly T[]): readonly T[] => (isFull ? cases : cases.slice(0, 1));

const processes: LoggedProcess[] = [];

afterEach(async () => {
  await Promise.all(processes.splice(0).map((each) => each.stop()));
});

interface Running {
  readonly log: LoggedProcess;
  readonly url: string;
}

async function started(app: 'api' | 'edge', change: Readonly<Record<string, string>>): Promise<Running> {
  const port = await freePort();
  const ports = { [app === 'api' ? 'PORT' : 'EDGE_PORT']: String(port) };
  const log = new LoggedProcess(app, { ...settings, ...ports, LOG_LEVEL: 'info', ...change });
  processes.push(log);
  return { log, url: `http://127.0.0.1:${port}` };
}

async function listening(app: 'api' | 'edge', change: Readonly<Record<string, string>> = {}): Promise<Running> {
  const running = await started(app, change);
  await running.log.line(({ msg }) => msg === 'listening');
  return running;
}

/** @param cause default: any. A check on a busy machine may also fail with a timeout. */
const outage = (dependency: string, cause?: string) => (line: LogLine) =>
  line.msg === 'dependency failed' && line.dependency === dependency && (cause === undefined || line.cause === cause);

describe('the log of a wrong configuration', () => {
  it('names the cause for each dependency once, and no secret', async () => {
    const issuer = createTlsServer(UNTRUSTED_CERTIFICATE).listen(0, '127.0.0.1');
    await once(issuer, 'listening');
    const { log, url } = await listening('api', {
      AUTH_ISSUER: `https://127.0.0.1:${(issuer.address() as AddressInfo).port}`,
      AUTH_JWKS_URI: '',
      S3_SECRET_ACCESS_KEY: 'wrong-storage-secret',
      EMBEDDED_DNS_TOKEN: 'wrong-dns-token',
    });
    for (let i = 0; i < 3; i += 1) await (await fetch(`${url}/health/ready`)).text();
    const causes = { 'signing-keys': 'SELF_SIGNED_CERT_IN_CHAIN', storage: 'SignatureDoesNotMatch', dns: 'HTTP_401' };
    for (const [dependency, cause] of Object.entries(causes)) {
      const isOutage = outage(dependency, cause);
      await log.line(isOutage);
      expect(log.lines.filter(isOutage)).toHaveLength(1);
    }
    for (const secret of ['wrong-storage-secret', 'wrong-dns-token', ...secretsOf(settings)]) {
      expect(log.text).not.toContain(secret);
    }
    issuer.closeAllConnections();
    issuer.close();
  });

  it('names both issuers when the discovery document belongs to another issuer', async () => {
    const { log, url } = await listening('api', { AUTH_ISSUER: `${settings['AUTH_ISSUER']}/`, AUTH_JWKS_URI: '' });
    const answer = await fetch(`${url}/api/apps`, { headers: { authorization: `Bearer ${unsignedToken()}` } });
    expect(answer.status).toBe(503);
    expect(await log.line(outage('signing-keys'))).toMatchObject({ cause: 'ISSUER_MISMATCH' });
    // The log line of the request has the same cause.
    expect(await log.line(({ status }) => status === 503)).toMatchObject({
      code: 'identity.keys-unavailable',
      cause: 'ISSUER_MISMATCH',
    });
  });

  it.each(sampleOf(WRONG_DATABASES))('names why PostgreSQL cannot be used: %s', async (_what, change, cause) => {
    const url = new URL(settings['DATABASE_URL'] as string);
    change(url);
    const { log } = await started('api', { DATABASE_URL: url.href });
    expect(await log.line(({ level }) => level === 60)).toMatchObject({ cause, msg: 'could not start' });
    expect(await log.exit()).toBe(1);
    expect(log.text).not.toContain('wrong-password');
    const edge = (await started('edge', { DATABASE_URL: url.href })).log;
    expect(await edge.line(outage('postgres', cause))).toMatchObject({ level: 40 });
  });
});

describe('the log with a correct configuration', () => {
  let api: Running;
  let edge: Running;

  beforeAll(async () => {
    [api, edge] = await Promise.all([listening('api'), listening('edge')]);
    // The next test must not stop them.
    processes.splice(0);
  });
  afterAll(() => Promise.all([api?.log.stop(), edge?.log.stop()]));

  it.each(['api', 'edge'] as const)('contains the configuration of the %s without secrets', async (app) => {
    const { log } = app === 'api' ? api : edge;
    const configuration = await log.line(({ msg }) => msg === 'configuration');
    expect(configuration).toMatchObject({
      homeport: expect.stringMatching(/^\d+\.\d+\.\d+/),
      node: process.version,
      settings: { LOG_LEVEL: 'info', S3_SECRET_ACCESS_KEY: '(set)', S3_BUCKET: settings['S3_BUCKET'] },
      defaults: expect.arrayContaining(['DATABASE_POOL_SIZE']),
    });
    for (const secret of secretsOf(settings)) expect(log.text).not.toContain(secret);
  });

  it('contains the migrations', async () => {
    expect(await api.log.line(({ migrations }) => migrations !== undefined)).toMatchObject({
      msg: 'no migrations pending',
      migrations: [],
    });
  });

  it('contains failed requests', async () => {
    const { log, url } = edge;
    const answer = await fetch(`${url}/nothing?token=secret-query`, { method: 'DELETE' });
    const line = await log.line(({ msg, status }) => msg === 'request' && status !== undefined);
    expect(line).toMatchObject({
      method: 'DELETE',
      status: answer.status,
      request_id: answer.headers.get('x-request-id'),
    });
    expect(log.text).not.toContain('secret-query');
  });
});

describe('the log of rejected requests', () => {
  it('contains the code of each problem', async () => {
    const { log, url } = await listening('api', { RATE_LIMIT_PER_ADDRESS: '1' });
    const ask = async (path: string, id: string, init: RequestInit = {}) => {
      await (await fetch(url + path, { ...init, headers: { ...init.headers, 'x-request-id': id } })).text();
      return log.line(({ request_id, status }) => request_id === id && status !== undefined);
    };
    expect(await ask('/v1/pricing', 'pricing-1')).toMatchObject({ status: 200 });
    expect(await ask('/v1/pricing', 'pricing-2')).toMatchObject({ status: 429, code: 'platform.rate-limited' });
    expect(await ask('/api/nothing', 'none')).toMatchObject({ status: 404, code: 'platform.no-route' });
    expect(await ask('/api/%zz', 'undecodable')).toMatchObject({ status: 404, code: 'platform.no-route' });
    expect(await ask('/api/apps', 'no-token')).toMatchObject({ status: 401, code: 'identity.unauthenticated' });
    const post = { method: 'POST', body: '{', headers: { 'content-type': 'application/json' } };
    expect(await ask('/api/apps', 'no-json', post)).toMatchObject({ code: expect.stringMatching(/^[a-z]+\.[a-z-]+$/) });
  });

  it('contains no token of Homeport or of a pipeline', async () => {
    const { log, url } = await listening('api', { LOG_LEVEL: 'debug' });
    // The second one has a valid checksum.
    const [malformed, unknown] = [`hp_${'a'.repeat(40)}`, `hp_${'a'.repeat(34)}4B35tI`];
    const pipeline = unsignedToken();
    const form = { grant_type: 'x', subject_token: pipeline, audience: unknown };
    const exchange = { method: 'POST', body: new URLSearchParams(form) };
    for (const authorization of [`Bearer ${malformed}`, `Bearer ${unknown}`, `Basic ${unknown}`, pipeline]) {
      expect((await fetch(`${url}/api/apps?token=${unknown}`, { headers: { authorization } })).status).toBe(401);
    }
    expect((await fetch(`${url}/auth/token`, exchange)).status).toBe(400);
    await log.line(({ msg }) => msg === 'token exchange refused');
    for (const secret of [malformed, unknown, pipeline]) expect(log.text).not.toContain(secret);
  });
});

describe('the log of the edge', () => {
  it('names a storage that is unreachable, or rejects the key', async () => {
    for (const [change, cause] of sampleOf(WRONG_STORAGES)) {
      const { log, url } = await listening('edge', change);
      await (await fetch(`${url}/health/ready`)).text();
      expect(await log.line(outage('storage', cause))).toMatchObject({ level: 40 });
    }
  });
});

function secretsOf(env: Readonly<Record<string, string>>): string[] {
  const names = ['S3_SECRET_ACCESS_KEY', 'SESSION_KEYS', 'AUTH_CLIENT_SECRET', 'EMBEDDED_DNS_TOKEN'];
  const password = new URL(env['DATABASE_URL'] as string).password;
  return [password, ...names.map((name) => env[name])].filter((each) => each !== undefined && each !== '') as string[];
}

/** A token that is checked only up to its key id. */
function unsignedToken(): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'RS256', kid: 'a', typ: 'at+jwt' })}.${part({ sub: 'a' })}.${part({})}`;
}
