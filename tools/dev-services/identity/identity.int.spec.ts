import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose';
import { startIdentity } from './index.ts';
import type { IdentityOptions, RunningIdentity } from './index.ts';
import { CookieJar } from './testing/cookie-jar.ts';
import { CLIENT, POST_LOGOUT_URI, REDIRECT_URI, RelyingParty } from './testing/relying-party.ts';
import { completeSignIn } from './testing/sign-in-driver.ts';

const AUDIENCE = 'https://api.test.example';

let options: IdentityOptions;
let identity: RunningIdentity;
let client: RelyingParty;

beforeAll(async () => {
  options = {
    ...CLIENT,
    dataDir: await mkdtemp(join(tmpdir(), 'identity-')),
    redirectUris: [REDIRECT_URI],
    postLogoutRedirectUris: [POST_LOGOUT_URI],
    audience: AUDIENCE,
  };
  identity = await startIdentity(options);
  client = await RelyingParty.discover(identity.issuer);
});

afterAll(async () => {
  await identity?.close();
  await rm(options.dataDir, { recursive: true });
});

describe('sign-in', () => {
  it('issues tokens for the API through the chooser and the provider', async () => {
    const { tokens, walk } = await client.signIn({ provider: 'northwind', person: 'ada@northwind.example' });

    expect(walk.pages).toEqual(['chooser', 'accounts']);
    const keys = createRemoteJWKSet(new URL('/jwks', identity.issuer));
    const { payload, protectedHeader } = await jwtVerify(tokens.access_token, keys, {
      issuer: identity.issuer,
      audience: AUDIENCE,
      algorithms: ['RS256'],
      typ: 'at+jwt',
    });
    const profile = {
      sub: 'northwind|ada',
      org_id: 'org_northwind',
      org_name: 'Northwind Traders',
      email: 'ada@northwind.example',
      name: 'Ada Park',
    };
    expect(payload).toMatchObject({ ...profile, client_id: CLIENT.clientId });
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(600);
    expect(protectedHeader.kid).toBeDefined();
    expect(tokens.claims()).toMatchObject({ ...profile, aud: CLIENT.clientId });
  });

  it('publishes keys for both algorithms without private parts', async () => {
    const { keys } = (await (await fetch(`${identity.issuer}/jwks`)).json()) as { keys: Record<string, string>[] };
    expect(keys.map((key) => key['alg']).sort()).toEqual(['ES256', 'RS256']);
    expect(keys.filter((key) => 'd' in key)).toEqual([]);
  });

  it.each(['northwind', 'globex'])('skips the chooser for identity_provider=%s', async (provider) => {
    const person = provider === 'globex' ? 'gina' : 'ben';
    const { tokens, walk } = await client.signIn({ person }, { params: { identity_provider: provider } });
    expect(walk.pages).toEqual(['accounts']);
    expect(decodeJwt(tokens.access_token).sub).toBe(`${provider}|${person}`);
  });

  it('shows the chooser for an unknown provider', async () => {
    const walk = await client.driveSignIn({ person: 'hank' }, { params: { identity_provider: 'initech' } });
    expect(walk.pages).toEqual(['chooser', 'accounts']);
  });

  it('names no organization for a person without one', async () => {
    const { tokens } = await client.signIn({ person: 'sam' });
    expect(decodeJwt(tokens.access_token)).toMatchObject({ sub: 'globex|sam', email: 'sam@contractor.example' });
    expect(decodeJwt(tokens.access_token)).not.toHaveProperty('org_id');
    expect(tokens.claims()).not.toHaveProperty('org_id');
  });

  it('requires PKCE', async () => {
    const walk = await client.driveSignIn(
      { person: 'ada' },
      { params: { code_challenge: '', code_challenge_method: '' } },
    );
    expect(new URL(walk.finalUrl).searchParams.get('error')).toBe('invalid_request');
  });

  it('accepts prompt=consent without a consent screen', async () => {
    const { walk } = await client.signIn({ person: 'ada' }, { params: { prompt: 'consent' } });
    expect(walk.pages).toEqual(['chooser', 'accounts']);
    const again = await client.signIn({ person: 'ada' }, { jar: walk.jar, params: { prompt: 'consent' } });
    expect(again.walk.pages).toEqual([]);
  });
});

describe('the session', () => {
  it('allows sign-in without a page', async () => {
    const { walk } = await client.signIn({ person: 'carla' });
    const again = await client.signIn({ person: 'nobody' }, { jar: walk.jar, params: { prompt: 'none' } });
    expect(again.walk.pages).toEqual([]);
    expect(again.tokens.claims()?.sub).toBe('northwind|carla');
  });

  it('is required for prompt=none, which otherwise returns login_required', async () => {
    const walk = await client.driveSignIn({ person: 'nobody' }, { params: { prompt: 'none' } });
    expect(new URL(walk.finalUrl).searchParams.get('error')).toBe('login_required');
  });

  it.each(['login', 'select_account'])('lets another person sign in with prompt=%s', async (prompt) => {
    const { walk, tokens } = await client.signIn({ person: 'ada' });
    const other = await client.signIn({ person: 'hank' }, { jar: walk.jar, params: { prompt } });
    expect(other.walk.pages).toEqual(['chooser', 'accounts']);
    expect(other.tokens.claims()?.sub).toBe('globex|hank');
    await expect(client.refresh(tokens.refresh_token)).rejects.toMatchObject({ error: 'invalid_grant' });
  });

  it('lets the same person sign in again with prompt=login and keeps earlier tokens', async () => {
    const { walk, tokens } = await client.signIn({ person: 'ada' });
    await client.signIn({ person: 'ada' }, { jar: walk.jar, params: { prompt: 'login' } });
    expect((await client.refresh(tokens.refresh_token)).access_token).toBeDefined();
  });

  it('is not used when the client requests another provider', async () => {
    const { walk } = await client.signIn({ person: 'ada' });
    const params = { identity_provider: 'globex' };
    const none = await client.driveSignIn({ person: 'hank' }, { jar: walk.jar, params: { ...params, prompt: 'none' } });
    expect(new URL(none.finalUrl).searchParams.get('error')).toBe('login_required');
    const { tokens } = await client.signIn({ person: 'hank' }, { jar: walk.jar, params });
    expect(tokens.claims()?.sub).toBe('globex|hank');
  });

  it('belongs to the tab that finishes last', async () => {
    const jar = new CookieJar();
    const [first, second] = [await client.request(), await client.request()];
    const stopBefore = REDIRECT_URI;
    const opened = await completeSignIn(
      second.url,
      { person: 'ada' },
      { jar, stopBefore: `${identity.issuer}/upstream` },
    );
    await completeSignIn(first.url, { person: 'hank' }, { jar, stopBefore });
    const late = await completeSignIn(opened.finalUrl, { person: 'ada' }, { jar, stopBefore });
    expect(new URL(late.finalUrl).searchParams.has('code')).toBe(true);
    const { tokens } = await client.signIn({ person: 'nobody' }, { jar, params: { prompt: 'none' } });
    expect(tokens.claims()?.sub).toBe('northwind|ada');
  });
});

describe('refresh tokens', () => {
  it('rotate, and reuse revokes the whole family', async () => {
    const { tokens } = await client.signIn({ person: 'ben' });
    const rotated = await client.refresh(tokens.refresh_token);
    expect(rotated.refresh_token).not.toBe(tokens.refresh_token);
    expect(decodeJwt(rotated.access_token)).toMatchObject({
      sub: 'northwind|ben',
      org_id: 'org_northwind',
      aud: AUDIENCE,
    });

    await expect(client.refresh(tokens.refresh_token)).rejects.toMatchObject({ error: 'invalid_grant' });
    await expect(client.refresh(rotated.refresh_token)).rejects.toMatchObject({ error: 'invalid_grant' });
  });

  it('survive later sign-ins of the same session', async () => {
    const { tokens, walk } = await client.signIn({ person: 'ben' });
    await client.signIn({ person: 'ben' }, { jar: walk.jar });
    expect((await client.refresh(tokens.refresh_token)).refresh_token).toBeDefined();
  });

  it('leave the session usable after their family was revoked', async () => {
    const { tokens, walk } = await client.signIn({ person: 'ben' });
    await client.revoke(tokens.refresh_token);
    await expect(client.refresh(tokens.refresh_token)).rejects.toMatchObject({ error: 'invalid_grant' });
    const again = await client.signIn({ person: 'ben' }, { jar: walk.jar, params: { prompt: 'none' } });
    expect((await client.refresh(again.tokens.refresh_token)).access_token).toBeDefined();
  });
});

describe('sign-out', () => {
  it('ends the session and its refresh tokens, and returns to the client', async () => {
    const { walk, tokens } = await client.signIn({ person: 'gina' });
    const url = client.signOutUrl({ id_token_hint: tokens.id_token ?? '', state: 'bye' });
    const out = await completeSignIn(url, { person: 'nobody' }, { jar: walk.jar, stopBefore: POST_LOGOUT_URI });
    expect(out.finalUrl).toBe(`${POST_LOGOUT_URI}?state=bye`);

    const silent = await client.driveSignIn({ person: 'nobody' }, { jar: walk.jar, params: { prompt: 'none' } });
    expect(new URL(silent.finalUrl).searchParams.get('error')).toBe('login_required');
    await expect(client.refresh(tokens.refresh_token)).rejects.toMatchObject({ error: 'invalid_grant' });
  });

  it('returns to the client also without a session', async () => {
    const out = await completeSignIn(client.signOutUrl(), { person: 'nobody' }, { stopBefore: POST_LOGOUT_URI });
    expect(out.finalUrl).toBe(POST_LOGOUT_URI);
  });
});

describe('a restart', () => {
  it('keeps sessions, refresh tokens, keys and a pending sign-in', async () => {
    const { tokens, walk } = await client.signIn({ person: 'hank' });
    const { url, jar } = { url: (await client.request()).url, jar: new CookieJar() };
    const pending = await completeSignIn(url, { person: 'ada' }, { jar, stopBefore: `${identity.issuer}/upstream` });

    await identity.close();
    identity = await startIdentity({ ...options, port: identity.port });

    const keys = createRemoteJWKSet(new URL('/jwks', identity.issuer));
    await jwtVerify(tokens.access_token, keys, { issuer: identity.issuer, audience: AUDIENCE });
    const again = await client.signIn({ person: 'nobody' }, { jar: walk.jar, params: { prompt: 'none' } });
    expect(again.tokens.claims()?.sub).toBe('globex|hank');
    expect((await client.refresh(tokens.refresh_token)).refresh_token).toBeDefined();
    const home = await completeSignIn(pending.finalUrl, { person: 'ada' }, { jar, stopBefore: REDIRECT_URI });
    expect(new URL(home.finalUrl).searchParams.has('code')).toBe(true);
  });

  it('applies a changed audience without a new consent', async () => {
    const { walk } = await client.signIn({ person: 'hank' });
    await identity.close();
    identity = await startIdentity({ ...options, port: identity.port, audience: 'https://api.next.example' });

    const { tokens } = await client.signIn({ person: 'nobody' }, { jar: walk.jar });
    expect(decodeJwt(tokens.access_token)).toMatchObject({
      aud: 'https://api.next.example',
      scope: 'openid profile email org',
    });
  });
});
