import { beforeEach, describe, expect, it } from '@jest/globals';
import { DatabaseUnavailable } from '@homeport/platform/server';
import { GrantRefused, IdentityProviderUnavailable, NoSession } from '../domain/identity.errors';
import { handleOf } from '../domain/session-handle';
import { InMemorySessionStore, FakeClock, FakeIdentityProvider } from '../testing';
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

describe('BrowserSignIn starting', () => {
  it('shows the configured providers without what preselects them', () => {
    expect(signIn.providers()).toStrictEqual([
      { id: 'google', label: 'Google' },
      { id: 'corp', label: 'Company' },
    ]);
  });

  it('goes to the hosted page of the chosen provider', async () => {
    const { url, attempt } = await signIn.start('corp', '/files/a?b#c');
    expect(url.href).toBe(`https://idp.example/authorize?kc_idp_hint=corp&state=${attempt.state}`);
    expect(attempt.returnTo).toBe('/files/a?b#c');
    expect(service.urls).toEqual([{ attempt, params: { kc_idp_hint: 'corp' } }]);
  });

  it('asks who is there when told to, beside what the provider is asked for', async () => {
    await signIn.start('corp', '/', true);
    expect(service.urls[0]?.params).toEqual({ prompt: 'login', kc_idp_hint: 'corp' });
  });

  it.each([undefined, 'unheard-of', '__proto__', ''])('preselects nobody for the provider %j', async (provider) => {
    await signIn.start(provider, undefined);
    expect(service.urls[0]?.params).toEqual({});
  });

  it.each([undefined, '', 'https://evil.example/', '//evil.example', '/\\evil.example', 'javascript:alert(1)'])(
    'comes back to the dashboard instead of %j',
    async (returnTo) => {
      expect((await signIn.start('google', returnTo)).attempt.returnTo).toBe('/');
    },
  );

  it('uses secrets nobody can guess, and each one once', async () => {
    const attempts = [(await signIn.start('google', '/')).attempt, (await signIn.start('google', '/')).attempt];
    const secrets = attempts.flatMap(({ state, nonce, codeVerifier }) => [state, nonce, codeVerifier]);
    expect(new Set(secrets).size).toBe(6);
    for (const each of secrets) expect(each).toMatch(/^[\w-]{43}$/);
  });

  it('says so when the identity service does not answer', async () => {
    service.failure = new IdentityProviderUnavailable();
    await expect(signIn.start('google', '/')).rejects.toBe(service.failure);
  });
});

describe('BrowserSignIn finishing', () => {
  it('opens a session under an id nobody can guess', async () => {
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

  it('gives the grant back when the session cannot be kept', async () => {
    const failure = new DatabaseUnavailable();
    store.add = () => Promise.reject(failure);
    await expect(signedIn()).rejects.toBe(failure);
    expect(service.revoked).toEqual(['refresh-0']);
  });
});

describe('BrowserSignIn with a session', () => {
  it('answers with the token while it is fresh, without asking anybody', async () => {
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

  it('answers null for the organization of a person without one', async () => {
    const id = await signedIn();
    await store.add({ ...(await store.find(id))!, user: { sub: 'person-1' } });
    expect((await signIn.current(id)).user).toStrictEqual({ sub: 'person-1', organization: null });
  });

  it('renews a token a minute before its end', async () => {
    const id = await signedIn();
    clock.time += HOUR - MINUTE;
    const session = await signIn.current(id);
    expect(session).toMatchObject({ access_token: 'access-1', user: { sub: 'person-1' } });
    expect(session.expires_at).toBe(new Date(clock.time + HOUR).toISOString());
    expect(await store.find(id)).toMatchObject({ accessToken: 'access-1', refreshToken: 'refresh-1' });
    expect(clock.waits).toEqual([4_000]);
  });

  it('renews again and again, with the newest refresh token each time', async () => {
    const id = await signedIn();
    for (let hour = 1; hour <= 5; hour++) {
      clock.time += HOUR;
      expect((await signIn.current(id)).access_token).toBe(`access-${hour}`);
    }
  });

  it('keeps the refresh token of a service that does not rotate it', async () => {
    service.rotates = false;
    const id = await signedIn();
    clock.time += HOUR;
    await signIn.current(id);
    expect(await store.find(id)).toMatchObject({ accessToken: 'access-1', refreshToken: 'refresh-0' });
    clock.time += HOUR;
    expect((await signIn.current(id)).access_token).toBe('access-2');
  });

  it('knows nothing of a session nobody opened', async () => {
    await expect(signIn.current('unheard-of')).rejects.toBeInstanceOf(NoSession);
  });

  it('ends a session after 30 days, however fresh its token is', async () => {
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

describe('BrowserSignIn ending a session', () => {
  it('removes it and revokes its refresh token', async () => {
    const id = await signedIn();
    await signIn.end(id);
    expect(service.revoked).toEqual(['refresh-0']);
    await expect(signIn.current(id)).rejects.toBeInstanceOf(NoSession);
  });

  it('waits two seconds for the identity service and no longer', async () => {
    const id = await signedIn();
    service.revoke = () => new Promise(() => undefined);
    await signIn.end(id);
    expect(clock.waits).toEqual([2_000]);
    expect(await store.find(id)).toBeUndefined();
  });

  it('removes it also when the identity service does not answer', async () => {
    const id = await signedIn();
    service.failure = new IdentityProviderUnavailable();
    await expect(signIn.end(id)).resolves.toBeUndefined();
    expect(await store.find(id)).toBeUndefined();
  });

  it('does no harm a second time, or to what is not there', async () => {
    const id = await signedIn();
    await signIn.end(id);
    await signIn.end(id);
    await signIn.end('unheard-of');
    expect(service.revoked).toEqual(['refresh-0']);
  });
});

describe('BrowserSignIn over days', () => {
  it('ends a session that nobody used for a week, and keeps one that somebody uses', async () => {
    const [idle, used] = [await signedIn(), await signedIn()];
    service.rotates = false;
    for (let day = 1; day <= 7; day++) {
      clock.time += DAY;
      await signIn.current(used);
    }
    await expect(signIn.current(idle)).rejects.toBeInstanceOf(NoSession);
    expect((await signIn.list(used)).items).toHaveLength(1);
  });

  it('tidies away idle sessions, and the one that this browser had before, without its grant', async () => {
    const idle = await signedIn();
    clock.time += 7 * DAY;
    const [before, now] = [await signedIn(), await signedIn()];
    await signIn.removeStaleSessions(before);
    await signIn.removeStaleSessions(undefined);
    expect([await store.find(idle), await store.find(before)]).toEqual([undefined, undefined]);
    expect(await store.find(now)).toBeDefined();
    expect(service.revoked).toEqual([]);
  });

  it('shows and lets in nobody whose session is over and not removed yet', async () => {
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

describe('BrowserSignIn listing', () => {
  it('shows the sessions of the person, with the device cut to a length', async () => {
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

  it('ends another session and its grant, also while the identity service does not answer', async () => {
    const [here, there] = [await signedIn(), await signedIn()];
    service.failure = new IdentityProviderUnavailable();
    await signIn.revoke(here, handleOf(there));
    await signIn.revoke(here, 'unheard-of');
    expect(service.revoked).toEqual(['refresh-0']);
    expect(await store.find(there)).toBeUndefined();
    expect(await store.find(here)).toBeDefined();
  });

  it('is for whoever has a session', async () => {
    await expect(signIn.list('unheard-of')).rejects.toBeInstanceOf(NoSession);
    await expect(signIn.revoke('unheard-of', 'x')).rejects.toBeInstanceOf(NoSession);
  });
});
