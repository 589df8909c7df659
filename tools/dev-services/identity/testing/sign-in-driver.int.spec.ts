import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startIdentity } from '../index.ts';
import type { RunningIdentity } from '../index.ts';
import { CookieJar } from './cookie-jar.ts';
import { CLIENT } from './relying-party.ts';
import { completeSignIn } from './sign-in-driver.ts';

let dataDir: string;
let product: Server;
let origin: string;
let identity: RunningIdentity;

/** Imitates the product's sign-in endpoints. */
function answer(request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url ?? '/', origin);
  if (url.pathname === '/auth/sign-in') {
    const query = new URLSearchParams({
      client_id: CLIENT.clientId,
      redirect_uri: `${origin}/auth/callback`,
      response_type: 'code',
      scope: 'openid',
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
      ...Object.fromEntries(url.searchParams),
    });
    response.setHeader('Set-Cookie', 'transaction=t; Path=/auth; HttpOnly');
    response.writeHead(302, { Location: `${identity.issuer}/auth?${query}` }).end();
  } else if (url.pathname === '/auth/callback' && request.headers.cookie === 'transaction=t') {
    response.setHeader('Set-Cookie', ['transaction=; Path=/auth; Max-Age=0', 'session=s; Path=/; HttpOnly']);
    response.writeHead(303, { Location: `/files?outcome=${url.searchParams.get('error') ?? 'signed-in'}` }).end();
  } else {
    response.end(`<h1>cookies: ${request.headers.cookie}</h1>`);
  }
}

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'identity-walker-'));
  product = createServer(answer).listen(0, '127.0.0.1');
  await once(product, 'listening');
  origin = `http://localhost:${(product.address() as AddressInfo).port}`;
  identity = await startIdentity({
    ...CLIENT,
    dataDir,
    redirectUris: [`${origin}/auth/callback`],
    postLogoutRedirectUris: [`${origin}/login`],
    audience: 'https://api.test.example',
  });
});

afterAll(async () => {
  await identity?.close();
  product.close();
  await rm(dataDir, { recursive: true });
});

describe('completeSignIn', () => {
  it.each([
    ['', ['chooser', 'accounts']],
    ['?identity_provider=northwind', ['accounts']],
  ])('signs in from the product through the hosted pages and back: %s', async (query, pages) => {
    const walk = await completeSignIn(`${origin}/auth/sign-in${query}`, { person: 'Ben Okafor' });
    expect(walk).toMatchObject({ finalUrl: `${origin}/files?outcome=signed-in`, status: 200, pages });
    expect(walk.body).toBe('<h1>cookies: session=s</h1>');
    expect(walk.jar.header(`${origin}/api/files`)).toBe('session=s');
    expect(walk.jar.header(`${origin}/auth/session`)).toBe('session=s');
    expect(walk.jar.header(identity.issuer)).not.toContain('session=s');
  });

  it('returns without a session when the person cancels', async () => {
    const walk = await completeSignIn(`${origin}/auth/sign-in`, { person: 'ada' }, { cancelAt: 'chooser' });
    expect(walk.finalUrl).toBe(`${origin}/files?outcome=access_denied`);
  });

  it('names the choice that is not available', async () => {
    const start = `${origin}/auth/sign-in`;
    await expect(completeSignIn(start, { person: 'zoe' })).rejects.toThrow('zoe is not one of the people');
    await expect(completeSignIn(start, { provider: 'globex', person: 'ada' })).rejects.toThrow('there is no "ada"');
  });
});

describe('CookieJar', () => {
  it('sends cookies only to their origin and path, until they expire', () => {
    const jar = new CookieJar();
    jar.store('http://localhost:1/a/b', [
      'here=1',
      'deep=2; path=/a/b/c',
      'all=3; Path=/; Expires=Fri, 01 Jan 2100 00:00:00 GMT',
    ]);
    expect(jar.header('http://localhost:1/a/x')).toBe('here=1; all=3');
    expect(jar.header('http://localhost:1/a/b/c/d')).toBe('here=1; deep=2; all=3');
    expect(jar.header('http://localhost:1/a/b/cd')).toBe('here=1; all=3');
    expect(jar.header('http://localhost:2/a/b')).toBe('');
    jar.store('http://localhost:1/', ['all=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT']);
    expect(jar.header('http://localhost:1/')).toBe('');
  });
});
