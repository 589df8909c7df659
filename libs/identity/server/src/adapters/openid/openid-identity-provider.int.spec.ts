import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { RequestListener } from 'node:http';
import { causeCodeOf } from '@homeport/platform/server/observability';
import { GrantRefused, GrantUnusable, IdentityProviderUnavailable } from '../../domain/identity.errors';
import { TestIssuer } from '../../testing/test-issuer';
import { OpenIdIdentityProvider } from './openid-identity-provider';

const ATTEMPT = { state: 'state-1', nonce: 'nonce-1', codeVerifier: 'v'.repeat(43), returnTo: '/' };
const CLIENT = 'client-1';

let issuer: TestIssuer;
let service: OpenIdIdentityProvider;
/** The next response of the token endpoint. */
let answer: RequestListener;

beforeEach(async () => {
  issuer = await TestIssuer.start();
  issuer.answer = (request, response) => {
    if (request.url === '/.well-known/openid-configuration') response.setHeader('content-type', 'application/json');
    if (response.hasHeader('content-type')) response.end(JSON.stringify(discovery()));
    else answer(request, response);
  };
  service = new OpenIdIdentityProvider({
    issuer: issuer.url,
    clientId: CLIENT,
    clientSecret: 'secret',
    scopes: 'openid',
    redirectUri: 'http://localhost/auth/callback',
    organizationClaim: 'org_id',
    organizationNameClaim: 'org_name',
  });
});

afterEach(() => issuer.stop());

function discovery() {
  return { issuer: issuer.url, token_endpoint: `${issuer.url}/token`, revocation_endpoint: `${issuer.url}/revoke` };
}

function json(status: number, body: unknown, headers: Record<string, string> = {}): RequestListener {
  return (_request, response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

function text(status: number, body: string): RequestListener {
  return (_request, response) => response.writeHead(status, { 'content-type': 'text/html' }).end(body);
}

const TOKENS = { access_token: 'access-2', token_type: 'Bearer', expires_in: 600 };

describe('OpenIdIdentityProvider refreshing', () => {
  it('returns a new access token and the new refresh token, if any', async () => {
    const before = Date.now();
    answer = json(200, { ...TOKENS, refresh_token: 'refresh-2' });
    const grant = await service.refresh('refresh-1', 'person-1');
    expect(grant).toMatchObject({ accessToken: 'access-2', refreshToken: 'refresh-2' });
    // openid-client counts whole seconds.
    expect(grant.expiresAt.getTime()).toBeGreaterThanOrEqual(before + 599_000);
    answer = json(200, TOKENS);
    expect(await service.refresh('refresh-2', 'person-1')).toStrictEqual({
      accessToken: 'access-2',
      expiresAt: expect.any(Date),
    });
  });

  it('is refused when the refresh token is no longer valid', async () => {
    answer = json(400, { error: 'invalid_grant', error_description: 'revoked' });
    await expect(service.refresh('refresh-1', 'person-1')).rejects.toBeInstanceOf(GrantRefused);
  });

  it.each<[string, RequestListener]>([
    ['400 invalid_request', json(400, { error: 'invalid_request' })],
    ['400 unauthorized_client', json(400, { error: 'unauthorized_client' })],
    ['400 temporarily_unavailable', json(400, { error: 'temporarily_unavailable' })],
    ['400 {}', json(400, {})],
    ['400 in HTML', text(400, 'invalid_grant')],
    ['401 invalid_client', json(401, { error: 'invalid_client' })],
    ['401 with a challenge', json(401, { error: 'invalid_client' }, { 'www-authenticate': 'Basic realm="idp"' })],
    ['403 access_denied', json(403, { error: 'access_denied' })],
    ['403 from a proxy', text(403, '<h1>Forbidden</h1>')],
    ['404', text(404, '<h1>Not found</h1>')],
    ['408', text(408, '')],
    ['429', json(429, { error: 'slow_down' })],
    ['500 invalid_grant', json(500, { error: 'invalid_grant' })],
    ['503', text(503, '')],
    ['200 {}', json(200, {})],
    ['200 without a token type', json(200, { access_token: 'access-2' })],
    ['200 in HTML', text(200, '<html>')],
    ['a broken connection', (request) => request.socket.destroy()],
  ])('is a temporary failure after %s', async (_name, given) => {
    answer = given;
    await expect(service.refresh('refresh-1', 'person-1')).rejects.toBeInstanceOf(IdentityProviderUnavailable);
  });

  const renewed = async (claims: Record<string, unknown>) =>
    json(200, { ...TOKENS, refresh_token: 'refresh-2', id_token: await issuer.token({ aud: CLIENT, ...claims }) });

  it.each([
    ['a clock 11 minutes ahead', { exp: Math.floor(Date.now() / 1_000) - 660 }],
    ['a clock 11 minutes behind', { iat: Math.floor(Date.now() / 1_000) + 660 }],
    ['no times', { exp: undefined, iat: undefined }],
    ['several audiences', { aud: ['other', CLIENT], azp: CLIENT }],
  ])('accepts an ID token of the same person with %s', async (_name, claims) => {
    answer = await renewed({ sub: 'person-1', ...claims });
    const grant = await service.refresh('refresh-1', 'person-1');
    expect(grant).toMatchObject({ accessToken: 'access-2', refreshToken: 'refresh-2' });
  });

  it.each([
    ['another person', { sub: 'person-2' }],
    ['nobody', { sub: undefined }],
    ['another client', { sub: 'person-1', aud: 'other' }],
    ['another issuer', { sub: 'person-1', iss: 'https://evil.example' }],
  ])('is refused when the ID token is about %s', async (_name, claims) => {
    answer = await renewed(claims);
    await expect(service.refresh('refresh-1', 'person-1')).rejects.toBeInstanceOf(GrantRefused);
  });

  it.each([
    ['no access token', { access_token: undefined }],
    ['an unknown token type', { token_type: 'unknown' }],
    ['an unreadable ID token', { id_token: 'a.b.c' }],
    ['an ID token that is not a string', { id_token: 1 }],
  ])('returns the new refresh token despite %s', async (_name, fault) => {
    answer = json(200, { ...TOKENS, refresh_token: 'refresh-2', ...fault });
    const failure = await service.refresh('refresh-1', 'person-1').catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(GrantUnusable);
    expect(failure).toMatchObject({ refreshToken: 'refresh-2' });
  });

  it.each([200, 400])('limits the size of a response with status %i', async (status) => {
    const closed = Promise.withResolvers<undefined>();
    answer = (_request, response) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      const more = () => void (response.destroyed || response.write('x'.repeat(64 * 1_024), more));
      response.on('close', () => closed.resolve(undefined));
      more();
    };
    const failure = await service.refresh('refresh-1', 'person-1').catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(IdentityProviderUnavailable);
    expect(causeCodeOf(failure)).toBe('TOO_LARGE');
    await closed.promise;
  });

  it('is a temporary failure while discovery fails, and works once discovery succeeds', async () => {
    const { answer: whole } = issuer;
    issuer.answer = text(500, '');
    await expect(service.refresh('refresh-1', 'person-1')).rejects.toBeInstanceOf(IdentityProviderUnavailable);
    issuer.answer = whole;
    answer = json(200, TOKENS);
    await expect(service.refresh('refresh-1', 'person-1')).resolves.toMatchObject({ accessToken: 'access-2' });
  });
});

describe('OpenIdIdentityProvider time limits', () => {
  it('gives a refresh more time than other calls, because it cannot be repeated', async () => {
    answer = json(200, TOKENS);
    const limits = jest.spyOn(AbortSignal, 'timeout');
    await service.revoke('refresh-1');
    await service.refresh('refresh-1', 'person-1');
    await service.revoke('refresh-1');
    expect(limits.mock.calls).toEqual([[4_000], [4_000], [25_000], [4_000]]);
    limits.mockRestore();
  });
});

describe('OpenIdIdentityProvider redeeming', () => {
  const redeem = (query: string) => service.redeem(new URL(`http://localhost/auth/callback?${query}`), ATTEMPT);
  const redeemed = (claims: Record<string, unknown>): Promise<RequestListener> =>
    issuer
      .token({ aud: CLIENT, nonce: ATTEMPT.nonce, ...claims })
      .then((id_token) => json(200, { ...TOKENS, refresh_token: 'refresh-1', id_token }));

  it('returns the signed-in person', async () => {
    answer = await redeemed({ name: 'Ada', email: 'ada@example.com', org_id: 'org-1', sub: 'ada' });
    expect(await redeem('code=c&state=state-1')).toMatchObject({
      accessToken: 'access-2',
      refreshToken: 'refresh-1',
      user: { sub: 'ada', name: 'Ada', email: 'ada@example.com', organization: 'org-1' },
    });
  });

  it.each([
    [
      { org_id: 'org-1', org_name: 'Example' },
      { organization: 'org-1', organizationName: 'Example' },
    ],
    [{ org_id: 'org-1', org_name: '' }, { organization: 'org-1' }],
    [{ org_id: 'org-1', org_name: { en: 'Example' } }, { organization: 'org-1' }],
    [{ org_name: 'Example' }, {}],
  ])('reads the organization and its name from %j', async (claims, organization) => {
    answer = await redeemed({ ...claims, sub: 'ada' });
    expect((await redeem('code=c&state=state-1')).user).toEqual({ sub: 'ada', ...organization });
  });

  it.each([
    ['another nonce', { nonce: 'other' }],
    ['no nonce', { nonce: undefined }],
    ['another issuer', { iss: 'https://evil.example' }],
    ['another audience', { aud: 'other' }],
  ])('is refused for an ID token with %s', async (_name, claims) => {
    answer = await redeemed(claims);
    await expect(redeem('code=c&state=state-1')).rejects.toBeInstanceOf(GrantRefused);
  });

  it.each([
    ['another state', 'code=c&state=other', json(200, TOKENS)],
    ['an error in the callback', 'error=access_denied&state=state-1', json(200, TOKENS)],
    ['no ID token', 'code=c&state=state-1', json(200, TOKENS)],
    ['a code that was used', 'code=c&state=state-1', json(400, { error: 'invalid_grant' })],
    ['an unknown client', 'code=c&state=state-1', json(401, { error: 'invalid_client' })],
  ])('is refused with %s', async (_name, query, given) => {
    answer = given;
    await expect(redeem(query)).rejects.toBeInstanceOf(GrantRefused);
  });

  it.each([429, 500, 503])('is a temporary failure after %i', async (status) => {
    answer = json(status, { error: 'server_error' });
    await expect(redeem('code=c&state=state-1')).rejects.toBeInstanceOf(IdentityProviderUnavailable);
  });
});

describe('OpenIdIdentityProvider revoking', () => {
  it('sends the token', async () => {
    answer = (_request, response) => response.end();
    await expect(service.revoke('refresh-1')).resolves.toBeUndefined();
  });

  it.each([400, 401, 403, 500])('fails after %i', async (status) => {
    answer = json(status, { error: 'invalid_client' });
    await expect(service.revoke('refresh-1')).rejects.toBeInstanceOf(IdentityProviderUnavailable);
  });
});
