import { beforeEach, describe, expect, it } from '@jest/globals';
import { DatabaseUnavailable } from '@homeport/kernel';
import { GrantRefused, IdentityProviderUnavailable, NoSession } from '../domain/identity.errors';
import { handleOf } from '../domain/session-handle';
import { InMemorySessionStore } from '../adapters/memory/in-memory-session-store';
import { FakeClock } from '../testing/fake-clock';
import { FakeIdentityProvider } from '../testing/fake-identity-provider';
import { BrowserSignIn, type ConfiguredProvider } from './browser-sign-in';
import type { SignInAttempt } from './identity-provider.port';

const CALLBACK = new URL('https://homeport.example/auth/callback?code=c&state=s');
const ATTEMPT: SignInAttempt = { state: 's', nonce: 'n', codeVerifier: 'v', returnTo: '/' };
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const PROVIDERS: readonly ConfiguredProvider[] = [
  { id: 'google', label: 'Google', params: { identity_provider: 'Google' } },
  { id: 'corp', label: 'Company', params: { kc_idp_hint: 'corp' } },
];

let clock: FakeClock;
let service: FakeIdentityProvider;
let store: InMemorySessionStore;
let signIn: BrowserSignIn;

beforeEach(() => {
  clock = new FakeClock();
  service = new FakeIdentityProvider(clock.now);
  store = new InMemorySessionStore(clock.now);
  signIn = new BrowserSignIn(PROVIDERS, service, store, clock);
});

const signedIn = () => signIn.finish(CALLBACK, ATTEMPT);

describe('BrowserSignIn: start', () => {
  it('lists the configured providers without their parameters', () => {
    expect(signIn.providers()).toStrictEqual([
      { id: 'google', label: 'Google' },
      { id: 'corp', label: 'Company' },
    ]);
  });

  it('returns the hosted page of the chosen provider', async () => {
    const { url, attempt } = await signIn.start('corp', '/files/a?b#c');
    expect(url.href).toBe(`https://idp.example/authorize?kc_idp_hint=corp&state=${attempt.state}`);
    expect(attempt.returnTo).toBe('/files/a?b#c');
    expect(service.urls).toEqual([{ attempt, params: { kc_idp_hint: 'corp' } }]);
  });

  it('adds a forced login to the parameters of the provider', async () => {
    await signIn.start('corp', '/', true);
    expect(service.urls[0]?.params).toEqual({ prompt: 'login', kc_idp_hint: 'corp' });
  });

  it.each([undefined, 'unheard-of', '__proto__', ''])('preselects no provider for the id %j', async (provider) => {
    await signIn.start(provider, undefined);
    expect(service.urls[0]?.params).toEqual({});
  });

  it.each([undefined, '', 'https://evil.example/', '//evil.example', '/\\evil.example', 'javascript:alert(1)'])(
    'returns to the dashboard instead of %j',
    async (returnTo) => {
      expect((await signIn.start('google', returnTo)).attempt.returnTo).toBe('/');
    },
  );

  it('uses unguessable secrets, each one once', async () => {
    const attempts = [(await signIn.start('google', '/')).attempt, (await signIn.start('google', '/')).attempt];
    const secrets = attempts.flatMap(({ state, nonce, codeVerifier }) => [state, nonce, codeVerifier]);
    expect(new Set(secrets).size).toBe(6);
    for (const each of secrets) expect(each).toMatch(/^[\w-]{43}$/);
  });

  it('fails when the identity service is unavailable', async () => {
    service.failure = new IdentityProviderUnavailable();
    await expect(signIn.start('google', '/')).rejects.toBe(service.failure);
  });
});

describe('BrowserSignIn: finish', () => {
  it('opens a session with an unguessable id', async () => {
    const id = await signedIn();
    expect(id).toMatch(/^[\w-]{43}$/);
    expect(service.redeemed).toEqual([CALLBACK]);
    expect(await store.find(id)).toEqual({
      id,
      user: { sub: 'person-1', organization: 'org-1' },
      accessToken: 'access-0',
      accessExpiresAt: new Date(clock.time + HOUR),
      refreshToken: 'refresh-0',
      createdAt: new Date(clock.time),
      lastUsedAt: new Date(clock.time),
      device: '',
    });
    expect(await signedIn()).not.toBe(id);
  });

  it('opens no session when the code is refused or cannot be redeemed', async () => {
    for (const failure of [new GrantRefused(), new IdentityProviderUnavailable()]) {
      service.failure = failure;
      await expect(signedIn()).rejects.toBe(failure);
    }
  });

  it('revokes the grant when the session cannot be stored', async () => {
    const failure = new DatabaseUnavailable();
    store.add = () => Promise.reject(failure);
    await expect(signedIn()).rejects.toBe(failure);
    expect(service.revoked).toEqual(['refresh-0']);
  });
});

describe('BrowserSignIn: current', () => {
  it('returns a fresh token without a renewal', async () => {
    const id = await signedIn();
    const expiresAt = new Date(clock.time + HOUR).toISOString();
    store.acquireRenewalLease = () => Promise.reject(new Error('there is nothing to renew'));
    clock.time += HOUR - MINUTE - 1;
    expect(await signIn.current(id)).toStrictEqual({
      access_token: 'access-0',
      expires_at: expiresAt,
      user: { sub: 'person-1', organization: 'org-1' },
    });
    expect(service.refreshes).toBe(0);
  });

  it('returns the name of the organization', async () => {
    const id = await signedIn();
    const session = await store.find(id);
    if (!session) throw new Error('no session');
    await store.add({ ...session, user: { ...session.user, organizationName: 'Example' } });
    expect((await signIn.current(id)).user).toEqual({
      sub: 'person-1',
      organization: 'org-1',
      organization_name: 'Example',
    });
  });

  it('returns null as the organization of a person without one', async () => {
    const id = await signedIn();
    await store.add({ ...(await store.find(id))!, user: { sub: 'person-1' } });
    expect((await signIn.current(id)).user).toStrictEqual({ sub: 'person-1', organization: null });
  });

  it('renews a token a minute before it expires', async () => {
    const id = await signedIn();
    clock.time += HOUR - MINUTE;
    const session = await signIn.current(id);
    expect(session).toMatchObject({ access_token: 'access-1', user: { sub: 'person-1' } });
    expect(session.expires_at).toBe(new Date(clock.time + HOUR).toISOString());
    expect(await store.find(id)).toMatchObject({ accessToken: 'access-1', refreshToken: 'refresh-1' });
    expect(clock.waits).toEqual([4_000]);
  });

  it('renews repeatedly, each time with the newest refresh token', async () => {
    const id = await signedIn();
    for (let hour = 1; hour <= 5; hour++) {
      clock.time += HOUR;
      expect((await signIn.current(id)).access_token).toBe(`access-${hour}`);
    }
  });

  it('keeps the refresh token of a service without rotation', async () => {
    service.rotates = false;
    const id = await signedIn();
    clock.time += HOUR;
    await signIn.current(id);
    expect(await store.find(id)).toMatchObject({ accessToken: 'access-1', refreshToken: 'refresh-0' });
    clock.time += HOUR;
    expect((await signIn.current(id)).access_token).toBe('access-2');
  });

  it('rejects an unknown session', async () => {
    await expect(signIn.current('unheard-of')).rejects.toBeInstanceOf(NoSession);
  });

  it('ends a session after 30 days even if its token is fresh', async () => {
    const id = await signedIn();
    for (let day = 1; day < 30; day++) {
      clock.time += DAY;
      await signIn.current(id);
    }
    clock.time += DAY - 1;
    await expect(signIn.current(id)).resolves.toMatchObject({ access_token: 'access-30' });
    clock.time += 1;
    await expect(signIn.current(id)).rejects.toBeInstanceOf(NoSession);
    expect(await store.find(id)).toBeUndefined();
    expect(service.revoked).toEqual(['refresh-30']);
  });
});

describe('BrowserSignIn: end', () => {
  it('removes the session and revokes its refresh token', async () => {
    const id = await signedIn();
    await signIn.end(id);
    expect(service.revoked).toEqual(['refresh-0']);
    await expect(signIn.current(id)).rejects.toBeInstanceOf(NoSession);
  });

  it('waits at most two seconds for the identity service', async () => {
    const id = await signedIn();
    service.revoke = () => new Promise(() => undefined);
    await signIn.end(id);
    expect(clock.waits).toEqual([2_000]);
    expect(await store.find(id)).toBeUndefined();
  });

  it('removes the session even if the identity service is unavailable', async () => {
    const id = await signedIn();
    service.failure = new IdentityProviderUnavailable();
    await expect(signIn.end(id)).resolves.toBeUndefined();
    expect(await store.find(id)).toBeUndefined();
  });

  it('ignores a second call and an unknown session', async () => {
    const id = await signedIn();
    await signIn.end(id);
    await signIn.end(id);
    await signIn.end('unheard-of');
    expect(service.revoked).toEqual(['refresh-0']);
  });
});

describe('BrowserSignIn: expiry', () => {
  it('ends a session after a week without use and keeps an active one', async () => {
    const [idle, used] = [await signedIn(), await signedIn()];
    service.rotates = false;
    for (let day = 1; day <= 7; day++) {
      clock.time += DAY;
      await signIn.current(used);
    }
    await expect(signIn.current(idle)).rejects.toBeInstanceOf(NoSession);
    expect((await signIn.list(used)).items).toHaveLength(1);
  });

  it('removes idle sessions and the previous session of this browser, without revoking its grant', async () => {
    const idle = await signedIn();
    clock.time += 7 * DAY;
    const [before, now] = [await signedIn(), await signedIn()];
    await signIn.removeStaleSessions(before);
    await signIn.removeStaleSessions(undefined);
    expect([await store.find(idle), await store.find(before)]).toEqual([undefined, undefined]);
    expect(await store.find(now)).toBeDefined();
    expect(service.revoked).toEqual([]);
  });

  it('rejects and hides an expired session that is not removed yet', async () => {
    const [here, idle] = [await signedIn(), await signedIn()];
    clock.time += 7 * DAY - 1;
    const { items } = await signIn.list(here);
    expect(items).toHaveLength(2);
    await signIn.current(here);
    clock.time += 1;
    expect((await signIn.list(here)).items.map(({ id }) => id)).toEqual([handleOf(here)]);
    await expect(signIn.list(idle)).rejects.toBeInstanceOf(NoSession);
    await expect(signIn.revoke(idle, handleOf(here))).rejects.toBeInstanceOf(NoSession);
    expect(await store.find(here)).toBeDefined();
  });
});

describe('BrowserSignIn: list and revoke', () => {
  it('lists the sessions of the person and truncates the device', async () => {
    const here = await signIn.finish(CALLBACK, ATTEMPT, 'Browser/1.0');
    clock.time += HOUR;
    const there = await signIn.finish(CALLBACK, ATTEMPT, 'x'.repeat(1_000));
    expect(await signIn.list(here)).toEqual({
      items: [
        {
          id: handleOf(there),
          device: 'x'.repeat(256),
          created_at: '2026-10-01T13:00:00.000Z',
          last_used_at: '2026-10-01T13:00:00.000Z',
          current: false,
        },
        {
          id: handleOf(here),
          device: 'Browser/1.0',
          created_at: '2026-10-01T12:00:00.000Z',
          last_used_at: '2026-10-01T12:00:00.000Z',
          current: true,
        },
      ],
    });
  });

  it('ends another session and its grant even if the identity service is unavailable', async () => {
    const [here, there] = [await signedIn(), await signedIn()];
    service.failure = new IdentityProviderUnavailable();
    await signIn.revoke(here, handleOf(there));
    await signIn.revoke(here, 'unheard-of');
    expect(service.revoked).toEqual(['refresh-0']);
    expect(await store.find(there)).toBeUndefined();
    expect(await store.find(here)).toBeDefined();
  });

  it('requires a session', async () => {
    await expect(signIn.list('unheard-of')).rejects.toBeInstanceOf(NoSession);
    await expect(signIn.revoke('unheard-of', 'x')).rejects.toBeInstanceOf(NoSession);
  });
});
