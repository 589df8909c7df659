import { once } from 'node:events';
import { createServer as createTlsServer, type Server } from 'node:https';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { recordOutages, UNTRUSTED_CERTIFICATE } from '@homeport/platform/server/testing';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { TestIssuer } from '../../testing/test-issuer';
import { JwksKeySet } from '../jwks/jwks-key-set';
import { discoverJwksUri } from './discover-jwks-uri';
import { OpenIdIdentityProvider } from './openid-identity-provider';

const SECRET = 'client-secret-value';
const REFRESH_TOKEN = 'refresh-token-value';

let issuer: TestIssuer;
let recorded: ReturnType<typeof recordOutages>;

beforeEach(async () => {
  issuer = await TestIssuer.start();
  recorded = recordOutages('identity-service');
});

afterEach(() => issuer.stop());

function serviceOf(url: string): OpenIdIdentityProvider {
  return new OpenIdIdentityProvider({
    issuer: url,
    clientId: 'client-1',
    clientSecret: SECRET,
    scopes: 'openid',
    redirectUri: 'http://localhost/auth/callback',
    organizationClaim: 'org_id',
    organizationNameClaim: 'org_name',
    outages: recorded.outages,
  });
}

function keysOf(url: string): JwksKeySet {
  let now = 0;
  // Every call is after all cooldowns.
  return new JwksKeySet({ jwksUri: () => discoverJwksUri(url), now: () => (now += 60_000), outages: recorded.outages });
}

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): RequestListener =>
  (_request, response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));

/** Serves the issuer's discovery document and the given token endpoint. */
function serve(token: RequestListener, named = issuer.url): void {
  issuer.answer = (request, response) => {
    const document = { issuer: named, token_endpoint: `${issuer.url}/token`, jwks_uri: issuer.jwksUri };
    if (request.url?.startsWith('/.well-known/')) json(200, document)(request, response);
    else if (request.url === '/token') token(request, response);
    else json(200, { keys: issuer.jwks() })(request, response);
  };
}

const facts = () => recorded.lines.map(({ msg, operation, cause }) => `${msg}: ${operation} ${cause}`);

describe('an issuer with an untrusted certificate', () => {
  let server: Server;
  let url: string;

  beforeEach(async () => {
    server = createTlsServer(UNTRUSTED_CERTIFICATE).listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });

  afterEach(async () => {
    server.close();
    await once(server, 'close');
  });

  it('is logged once for the keys and once for the sign-in', async () => {
    const keys = keysOf(url);
    for (let i = 0; i < 3; i += 1) await expect(keys.ready()).rejects.toThrow();
    expect(facts()).toEqual(['dependency failed: read SELF_SIGNED_CERT_IN_CHAIN']);
    recorded = recordOutages('identity-service');
    await expect(serviceOf(url).refresh(REFRESH_TOKEN, 'ada')).rejects.toThrow();
    expect(facts()).toEqual(['dependency failed: discovery SELF_SIGNED_CERT_IN_CHAIN']);
  });
});

describe('the discovery document', () => {
  it('of another issuer is logged with both issuers', async () => {
    serve(json(200, {}), 'https://other.example');
    await expect(keysOf(issuer.url).ready()).rejects.toThrow();
    await expect(serviceOf(issuer.url).refresh(REFRESH_TOKEN, 'ada')).rejects.toThrow();
    expect(facts()).toEqual(['dependency failed: read ISSUER_MISMATCH']);
    expect(recorded.lines[0]?.err?.message).toContain(`another issuer: https://other.example, not ${issuer.url}`);
  });

  it.each([
    ['that is missing', json(404, {}), 'HTTP_404'],
    ['that is not JSON', json(200, {}, { 'content-type': 'text/html' }), undefined],
  ])('%s is logged', async (_what, answer, cause) => {
    issuer.answer = answer;
    await expect(keysOf(issuer.url).ready()).rejects.toThrow();
    expect(recorded.lines[0]?.cause).toBe(cause ?? 'ISSUER_MISMATCH');
  });
});

describe('the keys', () => {
  it('are logged as failed, then as recovered', async () => {
    const keys = keysOf(issuer.url);
    serve(json(200, {}));
    await keys.ready();
    issuer.answer = json(503, {});
    await expect(keys.find({ keyId: 'unknown', algorithm: 'RS256' })).rejects.toThrow();
    serve(json(200, {}));
    await keys.find({ keyId: 'unknown', algorithm: 'RS256' });
    expect(facts()).toEqual(['dependency failed: read HTTP_503', 'dependency recovered: read HTTP_503']);
  });
});

describe('the token endpoint', () => {
  it.each([
    ['400', json(400, { error: 'invalid_client' })],
    ['401', json(401, { error: 'invalid_client' })],
    ['401 with a challenge', json(401, { error: 'invalid_client' }, { 'www-authenticate': 'Basic realm="a"' })],
  ])('that refuses the client secret (%s) is logged as failed, then as recovered', async (_how, refusal) => {
    const service = serviceOf(issuer.url);
    serve(refusal);
    for (let i = 0; i < 2; i += 1) await expect(service.refresh(REFRESH_TOKEN, 'ada')).rejects.toThrow();
    serve(json(200, { access_token: 'a', token_type: 'Bearer', expires_in: 600 }));
    await service.refresh(REFRESH_TOKEN, 'ada');
    expect(facts()).toEqual(['dependency failed: token invalid_client', 'dependency recovered: token invalid_client']);
    for (const secret of [SECRET, REFRESH_TOKEN]) expect(JSON.stringify(recorded.lines)).not.toContain(secret);
  });

  it('that refuses one refresh token is not logged as failed', async () => {
    serve(json(400, { error: 'invalid_grant' }));
    await expect(serviceOf(issuer.url).refresh(REFRESH_TOKEN, 'ada')).rejects.toThrow();
    expect(facts()).toEqual([]);
  });
});
