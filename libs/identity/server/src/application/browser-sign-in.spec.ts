import { beforeEach, describe, expect, it } from '@jest/globals';
import { DatabaseUnavailable } from '@homeport/platform/server';
import { GrantRefused, IdentityServiceUnavailable, NoSession } from '../domain/identity.errors';
import { InMemorySessionStore } from '../testing';
import { handleOf } from '../domain/session-handle';
import { BrowserSignIn, type ConfiguredProvider } from './browser-sign-in';
import { IdentityService, type SignedInGrant, type SignInAttempt, type TokenGrant } from './identity-service.port';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const CALLBACK = new URL('https://homeport.example/auth/callback?code=c&state=s');
const PROVIDERS: readonly ConfiguredProvider[] = [
  { id: 'google', label: 'Google', params: { identity_provider: 'Google' } },
  { id: 'corp', label: 'Company', params: { kc_idp_hint: 'corp' } },
];

let time: number;

/** An identity service that rotates refresh tokens and refuses a used one, as real ones do. */
class ScriptedIdentityService extends IdentityService {
  rotates = true;
  failure: Error | undefined;
  /** Runs in the middle of a refresh. */
  meanwhile: () => Promise<unknown> = () => Promise.resolve();
  readonly urls: { attempt: SignInAttempt; params: Readonly<Record<string, string>> }[] = [];
  readonly revoked: string[] = [];
  refreshes = 0;
  #live = 'refresh-0';

  async signInUrl(attempt: SignInAttempt, params: Readonly<Record<string, string>>): Promise<URL> {
    if (this.failure) throw this.failure;
    this.urls.push({ attempt, params });
    return new URL(`https://idp.example/authorize?state=${attempt.state}`);
  }

  async redeem(callback: URL): Promise<SignedInGrant> {
    if (this.failure) throw this.failure;
    expect(callback).toBe(CALLBACK);
    return { ...this.#grant(), refreshToken: this.#live, user: { sub: 'person-1', organization: 'org-1' } };
  }

  async refresh(refreshToken: string): Promise<TokenGrant> {
    this.refreshes++;
    await this.meanwhile();
    if (this.failure) throw this.failure;
    if (refreshToken !== this.#live) throw new GrantRefused();
    if (!this.rotates) return this.#grant();
    this.#live = `refresh-${this.refreshes}`;
    return { ...this.#grant(), refreshToken: this.#live };
  }

  async revoke(refreshToken: string): Promise<void> {
    this.revoked.push(refreshToken);
    if (this.failure) throw this.failure;
  }

  #grant(): TokenGrant {
    return { accessToken: `access-${this.refreshes}`, expiresAt: new Date(time + HOUR) };
  }
}

/** A clock whose waits are over at once, after everything else that can run has run. */
const clock = {
  waits: [] as number[],
  now: () => time,
  wait: async (ms: number) => {
    clock.waits.push(ms);
    time += ms;
    await new Promise((resolve) => setImmediate(resolve));
  },
};

let service: ScriptedIdentityService;
let store: InMemorySessionStore;
let signIn: BrowserSignIn;

beforeEach(() => {
  time = Date.parse('2026-10-01T12:00:00Z');
  clock.waits.length = 0;
  service = new ScriptedIdentityService();
  store = new InMemorySessionStore(() => time);
  signIn = new BrowserSignIn(PROVIDERS, service, store, clock);
});

const ATTEMPT: SignInAttempt = { state: 's', nonce: 'n', codeVerifier: 'v', returnTo: '/' };
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
    expect(url.href).toBe(`https://idp.example/authorize?state=${attempt.state}`);
    expect(attempt.returnTo).toBe('/files/a?b#c');
    expect(service.urls).toEqual([{ attempt, params: { kc_idp_hint: 'corp' } }]);
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
    service.failure = new IdentityServiceUnavailable();
    await expect(signIn.start('google', '/')).rejects.toBe(service.failure);
  });
});

describe('BrowserSignIn finishing', () => {
  it('opens a session under an id nobody can guess', async () => {
    const id = await signedIn();
    expect(id).toMatch(/^[\w-]{43}$/);
    expect(await store.find(id)).toEqual({
      id,
      user: { sub: 'person-1', organization: 'org-1' },
      accessToken: 'access-0',
      accessExpiresAt: new Date(time + HOUR),
      refreshToken: 'refresh-0',
      createdAt: new Date(time),
      lastUsedAt: new Date(time),
      device: '',
    });
    expect(await signedIn()).not.toBe(id);
  });

  it('opens no session when the code is refused or cannot be redeemed', async () => {
    for (const failure of [new GrantRefused(), new IdentityServiceUnavailable()]) {
      service.failure = failure;
      await expect(signedIn()).rejects.toBe(failure);
    }
  });
});

describe('BrowserSignIn with a session', () => {
  it('answers with the token while it is fresh, without asking anybody', async () => {
    const id = await signedIn();
    const expiresAt = new Date(time + HOUR).toISOString();
    store.claimRenewal = () => Promise.reject(new Error('there is nothing to renew'));
    time += HOUR - MINUTE - 1;
    expect(await signIn.current(id)).toStrictEqual({
      access_token: 'access-0',
      expires_at: expiresAt,
      user: { sub: 'person-1', organization: 'org-1' },
    });
    expect(service.refreshes).toBe(0);
  });

  it('renews a token a minute before its end', async () => {
    const id = await signedIn();
    time += HOUR - MINUTE;
    const session = await signIn.current(id);
    expect(session).toMatchObject({ access_token: 'access-1', user: { sub: 'person-1' } });
    expect(session.expires_at).toBe(new Date(time + HOUR).toISOString());
    expect(await store.find(id)).toMatchObject({ accessToken: 'access-1', refreshToken: 'refresh-1' });
    expect(clock.waits).toEqual([]);
  });

  it('renews again and again, with the newest refresh token each time', async () => {
    const id = await signedIn();
    for (let hour = 1; hour <= 5; hour++) {
      time += HOUR;
      expect((await signIn.current(id)).access_token).toBe(`access-${hour}`);
    }
  });

  it('keeps the refresh token of a service that does not rotate it', async () => {
    service.rotates = false;
    const id = await signedIn();
    time += HOUR;
    await signIn.current(id);
    expect(await store.find(id)).toMatchObject({ accessToken: 'access-1', refreshToken: 'refresh-0' });
    time += HOUR;
    expect((await signIn.current(id)).access_token).toBe('access-2');
  });

  it('knows nothing of a session nobody opened', async () => {
    await expect(signIn.current('unheard-of')).rejects.toBeInstanceOf(NoSession);
  });

  it('ends a session after 30 days, however fresh its token is', async () => {
    const id = await signedIn();
    for (let day = 1; day < 30; day++) {
      time += DAY;
      await signIn.current(id);
    }
    time += DAY - 1;
    await expect(signIn.current(id)).resolves.toMatchObject({ access_token: 'access-30' });
    time += 1;
    await expect(signIn.current(id)).rejects.toBeInstanceOf(NoSession);
    expect(await store.find(id)).toBeUndefined();
    expect(service.revoked).toEqual(['refresh-30']);
  });
});

describe('BrowserSignIn renewing for several at once', () => {
  it('refreshes once, and everybody gets the new token', async () => {
    const id = await signedIn();
    time += HOUR;
    const sessions = await Promise.all(Array.from({ length: 20 }, () => signIn.current(id)));
    expect(new Set(sessions.map((session) => session.access_token))).toEqual(new Set(['access-1']));
    expect(service.refreshes).toBe(1);
    expect(new Set(clock.waits)).toEqual(new Set([250]));
  });

  it('does not use up a refresh token that was renewed between its look and its claim', async () => {
    const id = await signedIn();
    time += HOUR;
    const other = new BrowserSignIn(PROVIDERS, service, store, clock);
    const claim = store.claimRenewal.bind(store);
    store.claimRenewal = async (...args) => {
      store.claimRenewal = claim;
      await other.current(id);
      return claim(...args);
    };
    expect((await signIn.current(id)).access_token).toBe('access-1');
    expect(service.refreshes).toBe(1);
    expect(await store.claimRenewal(id, MINUTE)).toBe(true);
  });

  it('gives up as unavailable, and keeps the session, while somebody else renews for long', async () => {
    const id = await signedIn();
    time += HOUR;
    await store.claimRenewal(id, MINUTE);
    await expect(signIn.current(id)).rejects.toBeInstanceOf(IdentityServiceUnavailable);
    expect(clock.waits).toHaveLength(16);
    expect(service.refreshes).toBe(0);
    expect(await store.find(id)).toBeDefined();
  });

  it('takes over from an instance that died while renewing', async () => {
    const id = await signedIn();
    time += HOUR;
    await store.claimRenewal(id, 1_000);
    expect((await signIn.current(id)).access_token).toBe('access-1');
  });

  it('holds its claim for longer than a refresh may take', async () => {
    const id = await signedIn();
    time += HOUR;
    service.meanwhile = async () => {
      time += 10_000;
      expect(await store.claimRenewal(id, MINUTE)).toBe(false);
    };
    expect((await signIn.current(id)).access_token).toBe('access-1');
  });

  it('has no session for those who waited when it ended meanwhile', async () => {
    const id = await signedIn();
    time += HOUR;
    service.meanwhile = () => signIn.end(id);
    const outcomes = await Promise.allSettled([signIn.current(id), signIn.current(id)]);
    for (const outcome of outcomes) expect(outcome).toMatchObject({ reason: expect.any(NoSession) });
  });
});

describe('BrowserSignIn when a renewal fails', () => {
  it('ends the session when the identity service refuses', async () => {
    const id = await signedIn();
    time += HOUR;
    service.failure = new GrantRefused();
    await expect(signIn.current(id)).rejects.toBeInstanceOf(NoSession);
    expect(await store.find(id)).toBeUndefined();
  });

  it('ends a session that has no refresh token with its access token', async () => {
    const id = await signedIn();
    const session = (await store.find(id))!;
    await store.add({ ...session, refreshToken: undefined });
    await expect(signIn.current(id)).resolves.toMatchObject({ access_token: 'access-0' });
    time += HOUR;
    await expect(signIn.current(id)).rejects.toBeInstanceOf(NoSession);
    expect(service.refreshes).toBe(0);
    expect(await store.find(id)).toBeUndefined();
  });

  it.each([{ Failure: IdentityServiceUnavailable }, { Failure: TypeError }])(
    'keeps the session through $Failure.name, and tries again with the next call',
    async ({ Failure }) => {
      const failure = new Failure();
      const id = await signedIn();
      const before = await store.find(id);
      time += HOUR;
      service.failure = failure;
      await expect(signIn.current(id)).rejects.toBe(failure);
      expect(await store.find(id)).toEqual(before);
      service.failure = undefined;
      await expect(signIn.current(id)).resolves.toMatchObject({ access_token: 'access-2' });
      expect(clock.waits).toEqual([]);
    },
  );

  it('reports the first failure when the claim cannot be given back either', async () => {
    const id = await signedIn();
    time += HOUR;
    service.failure = new IdentityServiceUnavailable();
    store.release = () => Promise.reject(new Error('the database is away too'));
    await expect(signIn.current(id)).rejects.toBe(service.failure);
  });

  it('revokes the new token of a session that was signed out of meanwhile', async () => {
    const id = await signedIn();
    time += HOUR;
    service.meanwhile = () => signIn.end(id);
    await expect(signIn.current(id)).rejects.toBeInstanceOf(NoSession);
    expect(service.revoked).toEqual(['refresh-0', 'refresh-1']);
    expect(await store.find(id)).toBeUndefined();
  });
});

describe('BrowserSignIn ending a session', () => {
  it('removes it and revokes its refresh token', async () => {
    const id = await signedIn();
    await signIn.end(id);
    expect(service.revoked).toEqual(['refresh-0']);
    await expect(signIn.current(id)).rejects.toBeInstanceOf(NoSession);
  });

  it('removes it also when the identity service does not answer', async () => {
    const id = await signedIn();
    service.failure = new IdentityServiceUnavailable();
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
      time += DAY;
      await signIn.current(used);
    }
    await expect(signIn.current(idle)).rejects.toBeInstanceOf(NoSession);
    expect((await signIn.list(used)).items).toHaveLength(1);
  });

  it('forgets idle sessions when somebody signs in', async () => {
    const idle = await signedIn();
    time += 7 * DAY;
    await signedIn();
    expect(await store.find(idle)).toBeUndefined();
  });
});

describe('BrowserSignIn listing', () => {
  it('shows the sessions of the person, with the device cut to a length', async () => {
    const here = await signIn.finish(CALLBACK, ATTEMPT, 'Browser/1.0');
    time += HOUR;
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
    service.failure = new IdentityServiceUnavailable();
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

describe('BrowserSignIn while the database stumbles', () => {
  it('does not lose the refresh token it has just got', async () => {
    const id = await signedIn();
    time += HOUR;
    const replace = store.replace.bind(store);
    let failures = 2;
    store.replace = async (session) => {
      if (failures-- > 0) throw new DatabaseUnavailable();
      return replace(session);
    };
    expect((await signIn.current(id)).access_token).toBe('access-1');
    expect(await store.find(id)).toMatchObject({ refreshToken: 'refresh-1' });
  });

  it('says so when it stays away', async () => {
    const id = await signedIn();
    time += HOUR;
    store.replace = () => Promise.reject(new DatabaseUnavailable());
    await expect(signIn.current(id)).rejects.toBeInstanceOf(DatabaseUnavailable);
  });
});
