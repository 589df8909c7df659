import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startIdentity } from './index.ts';
import type { RunningIdentity } from './index.ts';
import { CookieJar } from './testing/cookie-jar.ts';
import { CLIENT, POST_LOGOUT_URI, REDIRECT_URI, RelyingParty } from './testing/relying-party.ts';
import { completeSignIn, visit } from './testing/sign-in-driver.ts';

let dataDir: string;
let identity: RunningIdentity;
let client: RelyingParty;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'identity-pages-'));
  identity = await startIdentity({
    ...CLIENT,
    dataDir,
    redirectUris: [REDIRECT_URI],
    postLogoutRedirectUris: [POST_LOGOUT_URI],
    audience: 'https://api.test.example',
  });
  client = await RelyingParty.discover(identity.issuer);
});

afterAll(async () => {
  await identity?.close();
  await rm(dataDir, { recursive: true });
});

/** Opens the chooser (or, with a provider, its account page) of a new sign-in. */
async function openPage(provider?: string): Promise<{ url: string; jar: CookieJar; response: Response }> {
  const jar = new CookieJar();
  let { url } = await client.request(provider ? { identity_provider: provider } : {});
  for (;;) {
    const response = await visit(url, jar);
    const location = response.headers.get('location');
    if (location === null) return { url, jar, response };
    url = new URL(location, url).href;
  }
}

describe('Cancel and Back', () => {
  it('on the chooser return to the client with access_denied', async () => {
    const walk = await client.driveSignIn({ person: 'ada' }, { cancelAt: 'chooser' });
    const answer = new URL(walk.finalUrl).searchParams;
    expect(answer.get('error')).toBe('access_denied');
    expect(answer.get('state')).toBe('the-state');
  });

  it('on an account page return to the chooser', async () => {
    const { walk, tokens } = await client.signIn({ person: 'ada' }, { cancelAt: 'accounts' });
    expect(walk.pages).toEqual(['chooser', 'accounts', 'chooser', 'accounts']);
    expect(tokens.claims()?.sub).toBe('northwind|ada');
  });

  it('on an account page return to the client if it has chosen the provider', async () => {
    const params = { identity_provider: 'globex' };
    const walk = await client.driveSignIn({ person: 'hank' }, { cancelAt: 'accounts', params });
    expect(walk.pages).toEqual(['accounts']);
    expect(new URL(walk.finalUrl).searchParams.get('error')).toBe('access_denied');
  });
});

describe('invalid requests', () => {
  it('with an unknown redirect_uri are answered with a page, never a redirect', async () => {
    const { url } = await client.request({ redirect_uri: 'https://evil.example/"><script>alert(1)</script>' });
    const response = await fetch(url, { redirect: 'manual' });
    const body = await response.text();
    expect(response.status).toBe(400);
    expect(body).toContain('invalid_redirect_uri');
    expect(body).toContain(`href="${POST_LOGOUT_URI}"`);
    expect(body).not.toContain('<script>alert');
  });

  it('to an ended sign-in are answered with an explanation and a link to restart', async () => {
    const { url, jar } = await openPage('northwind');
    await completeSignIn(url, { person: 'ada' }, { jar, stopBefore: REDIRECT_URI });
    const stale = await visit(url, jar);
    const body = await stale.text();
    expect(stale.status).toBe(400);
    expect(body).toContain('This sign-in has expired');
    expect(body).toContain(`href="${POST_LOGOUT_URI}"`);
    await expect(completeSignIn(url, { person: 'ada' }, { jar })).rejects.toThrow('This sign-in has expired');
  });

  it.each([
    ['/sign-in/nobody-knows-this', 400],
    ['/sign-in/nobody-knows-this/answer?state=x&code=y', 400],
    ['/answer/northwind', 400],
    ['/upstream/globex/accounts/nobody-knows-this', 400],
    ['/upstream/globex/auth/nobody-knows-this', 400],
    ['/auth/nobody-knows-this', 400],
    ['/', 404],
    ['/upstream/globex/none', 404],
    ['//evil.example', 404],
  ])('to %s are answered with a page', async (path, status) => {
    const response = await fetch(identity.issuer + path);
    expect(response.status).toBe(status);
    expect(await response.text()).toContain('<body data-page="problem">');
  });

  it('cannot continue the sign-in of another browser', async () => {
    const { url } = await openPage();
    expect((await visit(url, new CookieJar(), new URLSearchParams({ provider: 'globex' }))).status).toBe(400);
  });

  it.each(['provider=initech', 'person=ada', `provider=${'x'.repeat(5000)}`])(
    'with the form %.20s are refused',
    async (form) => {
      const { url, jar } = await openPage();
      expect((await visit(url, jar, new URLSearchParams(form))).status).toBe(400);
    },
  );

  it('with the person of another provider are refused', async () => {
    const { url, jar } = await openPage('globex');
    expect((await visit(url, jar, new URLSearchParams({ person: 'ada' }))).status).toBe(400);
  });

  it('to a foreign host name are refused', async () => {
    const status = await new Promise((resolve, reject) => {
      const { port } = identity;
      request({ host: '127.0.0.1', port, path: '/jwks', headers: { host: `evil.example:${port}` } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .on('error', reject)
        .end();
    });
    expect(status).toBe(421);
  });
});

describe('every page', () => {
  it.each([undefined, 'northwind', 'globex'])(
    'has strict security headers and says that no password is needed: %s',
    async (provider) => {
      const { response } = await openPage(provider);
      const policy = response.headers.get('content-security-policy');
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).toContain(`form-action 'self' ${new URL(REDIRECT_URI).origin} http://127.0.0.1:*;`);
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
      const body = await response.text();
      expect(body).toContain('<html lang="en">');
      expect(body).toContain('Development sign-in: no password needed.');
    },
  );

  it('uses HttpOnly cookies named after its issuer and port', async () => {
    const { walk } = await client.signIn({ person: 'ada' });
    const names = walk.jar
      .header(identity.issuer)
      .split('; ')
      .map((pair) => pair.split('=')[0]);
    expect(names.sort()).toEqual([`identity_${identity.port}_broker`, `identity_${identity.port}_northwind`]);
    const { url } = await client.request();
    const cookies = (await fetch(url, { redirect: 'manual' })).headers.getSetCookie();
    expect(cookies.every((cookie) => /; samesite=lax/i.test(cookie) && /; httponly/i.test(cookie))).toBe(true);
  });
});
