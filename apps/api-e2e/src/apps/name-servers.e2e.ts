import { Resolver } from 'node:dns/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { BIND, findPrograms, KNOT, type RunningNameServer, startBind, startKnot } from '@homeport/dev-services';
import type { ApiProcess } from '../product-processes';
import type { MemberClient } from './member-client';
import { DOMAIN, EDGE_HOSTNAME, fatalLogLines, ApiFixture, type StartNameServer } from './api-fixture';

const SERVERS = [
  { title: 'BIND', programs: BIND, start: startBind },
  { title: 'Knot', programs: KNOT, start: startKnot },
];

for (const { title, programs, start } of SERVERS) {
  // `npm test` reports a missing server; in CI that is a failure.
  const isInstalled = (await findPrograms(programs)) !== undefined;
  (isInstalled ? describe : describe.skip)(`apps in a zone of ${title}`, () => suite(start));
}

function suite(start: StartNameServer): void {
  const resolver = new Resolver();
  let fixture: ApiFixture;
  let server: RunningNameServer;
  let api: ApiProcess;
  let member: MemberClient;
  let other: MemberClient;

  beforeAll(async () => {
    fixture = await ApiFixture.open();
    server = await fixture.nameServer(start, { records: 'theirs A 192.0.2.1' });
    resolver.setServers([`127.0.0.1:${server.port}`]);
    [api, member, other] = await Promise.all([
      fixture.api({ NAME_QUARANTINE_DAYS: '0' }),
      fixture.member('one'),
      fixture.member('other'),
    ]);
  });
  afterEach(() => expect([api.isAlive(), api.unexpectedErrors(), fatalLogLines(api)]).toEqual([true, [], []]));
  afterAll(() => fixture.close());

  /** The CNAME target, or the error code of the resolver. */
  const targetOf = (name: string): Promise<string | undefined> =>
    resolver.resolveCname(`${name}.${DOMAIN}`).then(
      ([target]) => target,
      (error: { code: string }) => error.code,
    );

  it('resolve from the registration to the deletion', async () => {
    const { status, body: app } = await member.register(api.url, 'Shop');
    expect([status, app.dns_status, await targetOf('shop')]).toEqual([201, 'dns-active', EDGE_HOSTNAME]);
    expect((await member.delete(api.url, app.id)).body.dns).toBe('deleted');
    expect(await targetOf('shop')).toBe('ENOTFOUND');
    const { body: next } = await other.register(api.url, 'Shop');
    expect([next.dns_status, await targetOf('shop')]).toEqual(['dns-active', EDGE_HOSTNAME]);
    expect((await other.delete(api.url, next.id)).body.dns).toBe('deleted');
  });

  it('leave foreign records unchanged', async () => {
    const { status, body: app } = await member.register(api.url, 'theirs');
    expect(status).toBe(201);
    expect(app).toMatchObject({ dns_status: 'dns-failed', dns_error: { code: 'foreign-record', retryable: false } });
    expect((await member.delete(api.url, app.id)).status).toBe(200);
    expect(await resolver.resolve4(`theirs.${DOMAIN}`)).toEqual(['192.0.2.1']);
  });

  it('stay registered while the server is unavailable or rejects the key, and recover later', async () => {
    await server.close();
    const { status, body: app } = await member.register(api.url, 'patient');
    expect(status).toBe(201);
    const unavailable = { code: 'provider-unavailable', retryable: true };
    expect(app).toMatchObject({ dns_status: 'dns-failed', dns_error: unavailable });

    // Every start creates a new key and an empty zone.
    await fixture.nameServer(start, { port: server.port });
    const { body: refused } = await member.retry(api.url, app.id);
    const denied = { code: 'access-denied', retryable: false, next_attempt_at: null };
    expect(refused).toMatchObject({ dns_status: 'dns-failed', dns_error: denied });
    expect(await targetOf('patient')).toBe('ENOTFOUND');

    api = await fixture.api({ NAME_QUARANTINE_DAYS: '0' });
    expect((await member.retry(api.url, app.id)).body.dns_status).toBe('dns-active');
    expect(await targetOf('patient')).toBe(EDGE_HOSTNAME);
    expect((await member.delete(api.url, app.id)).body.dns).toBe('deleted');
    expect(await targetOf('patient')).toBe('ENOTFOUND');
  });
}
