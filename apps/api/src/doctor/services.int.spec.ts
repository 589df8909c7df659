import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { embeddedServices } from '@homeport/platform/server/testing';
import { BlackHole, closedPort, doctorLine, type Settings } from './testing/doctor-lines';

const KEYS = 'Correct S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY.';
const REACH = 'or start the service, and let this machine reach it through firewalls.';

describe('the doctor of the storage, the zone and the identity service', () => {
  let hole: BlackHole;
  let closed: number;
  const web = createServer((_request, response) => response.writeHead(404).end('not found'));
  beforeAll(async () => {
    [hole, closed] = await Promise.all([BlackHole.open(), closedPort()]);
    await once(web.listen(0, '127.0.0.1'), 'listening');
  });
  afterAll(async () => {
    await hole.close();
    web.close();
  });

  const line = (name: string, changes: Settings = {}) => doctorLine(name, { ...embeddedServices(), ...changes });
  const storage = () => `The storage at ${new URL(embeddedServices()['S3_ENDPOINT'] as string).host}`;
  const issuer = () => `The identity service at ${new URL(embeddedServices()['AUTH_ISSUER'] as string).host}`;

  it.each([
    'storage',
    'storage-access',
    'storage-uploads',
    'storage-conditions',
    'dns',
    'dns-records',
    'dns-listing',
    'cdn-hostname',
    'preview-wildcard',
    'identity',
    'identity-keys',
    'identity-client',
    'identity-redirect',
    'public-url',
  ])('%s is ok', async (name) => expect(await line(name)).toMatch(new RegExp(`^ok {7}${name}  [A-Za-z].*\\.$`)));

  it.each<[string, Settings, () => string]>([
    [
      'a wrong access key',
      { S3_ACCESS_KEY_ID: 'wrong' },
      () => `${storage()} does not know the access key (InvalidAccessKeyId). ${KEYS}`,
    ],
    [
      'a wrong secret key',
      { S3_SECRET_ACCESS_KEY: 'wrong' },
      () => `${storage()} rejects the secret key (SignatureDoesNotMatch). ${KEYS}`,
    ],
    [
      'a wrong bucket',
      { S3_BUCKET: 'wrong' },
      () => `${storage()} has no bucket wrong. Correct S3_BUCKET, or create the bucket wrong.`,
    ],
  ])('names %s', async (_, changes, text) => {
    expect(await line('storage', changes)).toBe(`fault    storage  ${text()}`);
    expect(await line('storage-conditions', changes)).toBe('skipped  storage-conditions  It needs storage-access.');
  });

  it('names services that are not there', async () => {
    const address = `http://127.0.0.1:${closed}`;
    expect(await line('dns', { EMBEDDED_DNS_URL: address })).toBe(
      `fault    dns  The embedded DNS server refuses connections (ECONNREFUSED). Correct EMBEDDED_DNS_URL, ${REACH}`,
    );
    expect(await line('identity', { AUTH_ISSUER: address })).toBe(
      `fault    identity  The identity service at 127.0.0.1:${closed} refuses connections (ECONNREFUSED). Correct AUTH_ISSUER, ${REACH}`,
    );
  });

  it.each([
    ['with the bucket', () => `${embeddedServices()['S3_ENDPOINT']}/${embeddedServices()['S3_BUCKET']}`, 'NoSuchKey'],
    ['of another service', () => `http://127.0.0.1:${(web.address() as AddressInfo).port}`, 'HTTP_404'],
  ])('names an address of the storage %s', async (_, address, code) => {
    const S3_ENDPOINT = address();
    expect(await line('storage', { S3_ENDPOINT })).toBe(
      `fault    storage  The storage at ${new URL(S3_ENDPOINT).host} does not answer as the S3 API does (${code}). Correct ` +
        'S3_ENDPOINT: it is the address of the S3 API, without the bucket.',
    );
  });

  it('asks the host of the webhook for notices', async () => {
    const USAGE_NOTICES_KEYS = Buffer.alloc(32).toString('base64');
    const webhook = (origin: string) =>
      line('usage-notices', { USAGE_NOTICES_KEYS, USAGE_NOTICES_URL: `${origin}/hooks?token=secret` });
    const { origin, host } = new URL(embeddedServices()['AUTH_ISSUER'] as string);
    expect(await webhook(origin)).toBe(`ok       usage-notices  The webhook for notices at ${host} answers.`);
    expect(await webhook(`http://127.0.0.1:${closed}`)).toBe(
      `fault    usage-notices  The webhook for notices at 127.0.0.1:${closed} refuses connections (ECONNREFUSED). ` +
        `Correct USAGE_NOTICES_URL, ${REACH}`,
    );
  });

  it('names storage that never answers', async () => {
    const { port } = hole;
    expect(await line('storage', { S3_ENDPOINT: `http://127.0.0.1:${port}` })).toBe(
      `fault    storage  The storage at 127.0.0.1:${port} does not answer (timeout). Correct S3_ENDPOINT, ${REACH}`,
    );
  });

  it.each<[string, Settings, string]>([
    [
      'a wrong token',
      { EMBEDDED_DNS_TOKEN: 'wrong' },
      'The embedded DNS server rejects the token. Set EMBEDDED_DNS_TOKEN as that server prints it.',
    ],
  ])('names %s of the zone', async (_, changes, text) => {
    expect(await line('dns', changes)).toBe(`fault    dns  ${text}`);
    expect(await line('dns-records', changes)).toBe('skipped  dns-records  It needs dns.');
  });

  it('names a wrong secret and a wrong client', async () => {
    const text = 'Correct AUTH_CLIENT_ID and AUTH_CLIENT_SECRET, and let the client send its secret in the body.';
    const client = embeddedServices()['AUTH_CLIENT_ID'];
    expect(await line('identity-client', { AUTH_CLIENT_SECRET: 'wrong' })).toBe(
      `fault    identity-client  ${issuer()} rejects the client ${client} or its secret (invalid_client). ${text}`,
    );
    expect(await line('identity-client', { AUTH_CLIENT_ID: 'wrong' })).toBe(
      `fault    identity-client  ${issuer()} rejects the client wrong or its secret (invalid_client). ${text}`,
    );
  });

  it('names a redirect address that is not registered', async () => {
    expect(await line('identity-redirect', { PUBLIC_URL: 'http://localhost:1' })).toBe(
      `fault    identity-redirect  The identity service does not send people of the client ` +
        `${embeddedServices()['AUTH_CLIENT_ID']} to http://localhost:1/auth/callback. Add ` +
        'http://localhost:1/auth/callback to the redirect addresses of the client, or correct PUBLIC_URL.',
    );
  });

  it('names another issuer', async () => {
    const AUTH_ISSUER = `${embeddedServices()['AUTH_ISSUER']}/`;
    expect(await line('identity', { AUTH_ISSUER })).toBe(
      `fault    identity  ${issuer()} has another issuer than ${AUTH_ISSUER} (ISSUER_MISMATCH). Set AUTH_ISSUER to the ` +
        `value of issuer in ${AUTH_ISSUER}.well-known/openid-configuration, character by character; a slash at the end counts.`,
    );
    expect(await line('identity-client', { AUTH_ISSUER })).toBe('skipped  identity-client  It needs identity.');
  });

  it('names an algorithm that is not accepted', async () => {
    expect(await line('identity-keys', { AUTH_ALGORITHMS: 'PS512' })).toMatch(
      /^fault {4}identity-keys {2}The issuer signs with .*, and AUTH_ALGORITHMS accepts PS512\. Set AUTH_ALGORITHMS to /,
    );
  });

  it('only warns of a public address that does not answer', async () => {
    const PUBLIC_URL = `http://localhost:${closed}`;
    expect(await line('public-url', { PUBLIC_URL: `https://127.0.0.1:${hole.port}` })).toMatch(
      /^warning  public-url  https:\S+ cannot be reached from this machine \(timeout\)\./,
    );
    expect(await line('public-url', { PUBLIC_URL })).toBe(
      `warning  public-url  ${PUBLIC_URL} cannot be reached from this machine (ECONNREFUSED). Start Homeport and ` +
        'the proxy in front of it, or correct PUBLIC_URL.',
    );
  });

  it('names a host name of the edge that does not resolve', async () => {
    const DOMAIN_RESOLVERS = `127.0.0.1:${embeddedServices()['DNS_PORT']}`;
    expect(await line('cdn-hostname', { CDN_HOSTNAME: 'missing.example.com', DOMAIN_RESOLVERS })).toMatch(
      /^fault {4}cdn-hostname {2}/,
    );
  });
});
