import { beforeEach, describe, expect, it } from '@jest/globals';
import { DatabaseUnavailable } from '@homeport/kernel';
import { GrantRefused, GrantUnusable, IdentityProviderUnavailable, NoSession } from '../domain/identity.errors';
import { handleOf } from '../domain/session-handle';
import { InMemorySessionStore } from '../adapters/memory/in-memory-session-store';
import { FakeClock } from '../testing/fake-clock';
import { FakeIdentityProvider } from '../testing/fake-identity-provider';
import { BrowserSignIn } from './browser-sign-in';
import type { SignInAttempt } from './identity-provider.port';

const CALLBACK = new URL('https://homeport.example/auth/callback?code=c&state=s');
const ATTEMPT: SignInAttempt = { state: 's', nonce: 'n', codeVerifier: 'v', returnTo: '/' };
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let clock: FakeClock;
let service: FakeIdentityProvider;
let store: InMemorySessionStore;
let signIn: BrowserSignIn;

beforeEach(() => {
  clock = new FakeClock();
  service = new FakeIdentityProvider(clock.now);
  store = new InMemorySessionStore(clock.now);
  signIn = new BrowserSignIn([], service, store, clock);
});

const signedIn = () => signIn.finish(CALLBACK, ATTEMPT);

describe('TokenRenewer with a token that the API refused', () => {
  it('replaces a refused token once for all callers that hold it', async () => {
    const id = await signedIn();
    const refused = handleOf('access-0');
    const sessions = await Promise.all(Array.from({ length: 5 }, () => signIn.current(id, refused)));
    expect(new Set(sessions.map((session) => session.access_token))).toEqual(new Set(['access-1']));
    expect((await signIn.current(id, refused)).access_token).toBe('access-1');
    expect((await signIn.current(id, 'unheard-of')).access_token).toBe('access-1');
    expect(service.refreshes).toBe(1);
    expect((await signIn.current(id, handleOf('access-1'))).access_token).toBe('access-2');
  });

  it('ends the session when only the refused token is left', async () => {
    const id = await signedIn();
    await store.add({ ...(await store.find(id))!, refreshToken: undefined });
    await expect(signIn.current(id, handleOf('access-0'))).rejects.toBeInstanceOf(NoSession);
    expect(await store.find(id)).toBeUndefined();
  });
});

describe('TokenRenewer with an unusable response', () => {
  it('stores the new refresh token, keeps the session and renews with that token the next time', async () => {
    const id = await signedIn();
    clock.time += HOUR;
    const refresh = service.refresh.bind(service);
    service.refresh = async (token) => {
      const { refreshToken } = await refresh(token);
      throw new GrantUnusable(refreshToken as string);
    };
    await expect(signIn.current(id)).rejects.toBeInstanceOf(IdentityProviderUnavailable);
    expect(await store.find(id)).toMatchObject({ refreshToken: 'refresh-1', accessToken: 'access-0' });
    service.refresh = refresh;
    expect((await signIn.current(id)).access_token).toBe('access-2');
  });

  it('revokes the new refresh token of a session that was removed during the renewal', async () => {
    const id = await signedIn();
    clock.time += HOUR;
    service.refresh = async () => {
      await store.remove(id);
      throw new GrantUnusable('refresh-1');
    };
    await expect(signIn.current(id)).rejects.toBeInstanceOf(IdentityProviderUnavailable);
    expect(service.revoked).toEqual(['refresh-1']);
  });
});

describe('TokenRenewer with concurrent callers', () => {
  it('refreshes once and returns the new token to all callers', async () => {
    const id = await signedIn();
    clock.time += HOUR;
    const sessions = await Promise.all(Array.from({ length: 20 }, () => signIn.current(id)));
    expect(new Set(sessions.map((session) => session.access_token))).toEqual(new Set(['access-1']));
    expect(service.refreshes).toBe(1);
    expect(new Set(clock.waits)).toEqual(new Set([4_000, 250]));
  });

  it('does not reuse a refresh token that was renewed before the lease was acquired', async () => {
    const id = await signedIn();
    clock.time += HOUR;
    const other = new BrowserSignIn([], service, store, clock);
    const acquireLease = store.acquireRenewalLease.bind(store);
    store.acquireRenewalLease = async (...args) => {
      store.acquireRenewalLease = acquireLease;
      await other.current(id);
      return acquireLease(...args);
    };
    expect((await signIn.current(id)).access_token).toBe('access-1');
    expect(service.refreshes).toBe(1);
    expect(await store.acquireRenewalLease(id, MINUTE)).toBeInstanceOf(Date);
  });

  it('is unavailable and keeps the session while another instance renews for too long', async () => {
    const id = await signedIn();
    clock.time += HOUR;
    await store.acquireRenewalLease(id, MINUTE);
    await expect(signIn.current(id)).rejects.toBeInstanceOf(IdentityProviderUnavailable);
    expect(clock.waits).toHaveLength(16);
    expect(service.refreshes).toBe(0);
    expect(await store.find(id)).toBeDefined();
  });

  it('takes over from an instance that died while renewing', async () => {
    const id = await signedIn();
    clock.time += HOUR;
    await store.acquireRenewalLease(id, 1_000);
    expect((await signIn.current(id)).access_token).toBe('access-1');
  });

  it('holds its lease for longer than a refresh may take', async () => {
    const id = await signedIn();
    clock.time += HOUR;
    service.meanwhile = async () => {
      clock.time += 45_000;
      expect(await store.acquireRenewalLease(id, MINUTE)).toBeUndefined();
    };
    expect((await signIn.current(id)).access_token).toBe('access-1');
  });

  it('uses the tokens that another instance stored after its own lease expired', async () => {
    const id = await signedIn();
    clock.time += HOUR;
    service.rotates = false;
    service.meanwhile = async () => {
      service.meanwhile = () => Promise.resolve();
      clock.time += 45_001;
      await signIn.current(id);
    };
    expect((await signIn.current(id)).access_token).toBe('access-2');
    expect(await store.find(id)).toMatchObject({ accessToken: 'access-2' });
    expect(service.revoked).toEqual([]);
  });

  it('is unavailable and keeps the session while another instance has taken over the renewal', async () => {
    const id = await signedIn();
    clock.time += HOUR;
    service.meanwhile = async () => {
      clock.time += 45_001;
      await store.acquireRenewalLease(id, MINUTE);
    };
    await expect(signIn.current(id)).rejects.toBeInstanceOf(IdentityProviderUnavailable);
    expect(await store.find(id)).toMatchObject({ accessToken: 'access-0' });
    expect(service.revoked).toEqual([]);
  });

  it('reports no session to waiting callers when the session ended', async () => {
    const id = await signedIn();
    clock.time += HOUR;
    service.meanwhile = () => signIn.end(id);
    const outcomes = await Promise.allSettled([signIn.current(id), signIn.current(id)]);
    for (const outcome of outcomes) expect(outcome).toMatchObject({ reason: expect.any(NoSession) });
  });
});

describe('TokenRenewer while the identity service is frozen', () => {
  it('times out after four seconds and stores the late response', async () => {
    const id = await signedIn();
    clock.time += HOUR;
    const frozen = Promise.withResolvers<unknown>();
    service.meanwhile = () => frozen.promise;
    await expect(signIn.current(id)).rejects.toBeInstanceOf(IdentityProviderUnavailable);
    expect(clock.waits).toEqual([4_000]);
    await expect(signIn.current(id)).rejects.toBeInstanceOf(IdentityProviderUnavailable);
    frozen.resolve(undefined);
    expect((await signIn.current(id)).access_token).toBe('access-1');
    expect(await store.find(id)).toMatchObject({ refreshToken: 'refresh-1' });
    expect(service.refreshes).toBe(1);
  });

  it('ends the session when the late response is a refusal', async () => {
    const id = await signedIn();
    clock.time += HOUR;
    const frozen = Promise.withResolvers<unknown>();
    service.meanwhile = () => frozen.promise;
    service.failure = new GrantRefused();
    await expect(signIn.current(id)).rejects.toBeInstanceOf(IdentityProviderUnavailable);
    frozen.resolve(undefined);
    await expect(signIn.current(id)).rejects.toBeInstanceOf(NoSession);
  });
});

describe('TokenRenewer when a renewal fails', () => {
  it('ends the session when the identity service refuses the token', async () => {
    const id = await signedIn();
    clock.time += HOUR;
    service.failure = new GrantRefused();
    await expect(signIn.current(id)).rejects.toBeInstanceOf(NoSession);
    expect(await store.find(id)).toBeUndefined();
  });

  it('ends a session without a refresh token when its access token expires', async () => {
    const id = await signedIn();
    const session = (await store.find(id))!;
    await store.add({ ...session, refreshToken: undefined });
    await expect(signIn.current(id)).resolves.toMatchObject({ access_token: 'access-0' });
    clock.time += HOUR;
    await expect(signIn.current(id)).rejects.toBeInstanceOf(NoSession);
    expect(service.refreshes).toBe(0);
    expect(await store.find(id)).toBeUndefined();
  });

  it.each([{ Failure: IdentityProviderUnavailable }, { Failure: TypeError }])(
    'keeps the session after $Failure.name and retries with the next call',
    async ({ Failure }) => {
      const failure = new Failure();
      const id = await signedIn();
      const before = await store.find(id);
      clock.time += HOUR;
      service.failure = failure;
      await expect(signIn.current(id)).rejects.toBe(failure);
      expect(await store.find(id)).toEqual(before);
      service.failure = undefined;
      await expect(signIn.current(id)).resolves.toMatchObject({ access_token: 'access-2' });
      expect(clock.waits).toEqual([4_000, 4_000]);
    },
  );

  it('reports the first failure when releasing the lease fails too', async () => {
    const id = await signedIn();
    clock.time += HOUR;
    service.failure = new IdentityProviderUnavailable();
    store.release = () => Promise.reject(new Error('the database is unavailable too'));
    await expect(signIn.current(id)).rejects.toBe(service.failure);
  });

  it('revokes the new token when the person signed out during the renewal', async () => {
    const id = await signedIn();
    clock.time += HOUR;
    service.meanwhile = () => signIn.end(id);
    await expect(signIn.current(id)).rejects.toBeInstanceOf(NoSession);
    expect(service.revoked).toEqual(['refresh-0', 'refresh-1']);
    expect(await store.find(id)).toBeUndefined();
  });
});

describe('TokenRenewer with database failures', () => {
  it('retries to store the new refresh token', async () => {
    const id = await signedIn();
    clock.time += HOUR;
    const replace = store.replace.bind(store);
    let failures = 2;
    store.replace = async (...args) => {
      if (failures-- > 0) throw new DatabaseUnavailable();
      return replace(...args);
    };
    expect((await signIn.current(id)).access_token).toBe('access-1');
    expect(await store.find(id)).toMatchObject({ refreshToken: 'refresh-1' });
  });

  it('recognizes its own renewal when the response to the first attempt was lost', async () => {
    const id = await signedIn();
    clock.time += HOUR;
    const replace = store.replace.bind(store);
    store.replace = async (...args) => {
      store.replace = replace;
      await replace(...args);
      throw new DatabaseUnavailable();
    };
    expect((await signIn.current(id)).access_token).toBe('access-1');
    expect(service.revoked).toEqual([]);
  });

  it('fails when the database stays unavailable', async () => {
    const id = await signedIn();
    clock.time += HOUR;
    store.replace = () => Promise.reject(new DatabaseUnavailable());
    await expect(signIn.current(id)).rejects.toBeInstanceOf(DatabaseUnavailable);
  });
});
