import { beforeEach, describe, expect, it } from '@jest/globals';
import type { BrowserSession } from '@homeport/identity/contracts';
import { AccessTokenProvider, type SessionSource, type SessionStatus } from './access-token-provider';

const MINUTE = 60_000;
const ADA = { sub: 'ada', organization: null };
let now: number;
let answers: (() => Promise<BrowserSession | undefined>)[];
let requests: number;
let refusals: (string | undefined)[];
let seen: SessionStatus[];
let ended: () => Promise<void>;
let provider: AccessTokenProvider;

const session = (token: string, minutes: number): BrowserSession => ({
  access_token: token,
  expires_at: new Date(now + minutes * MINUTE).toISOString(),
  user: ADA,
});
const unreachable = (): Promise<never> => Promise.reject(new Error('unreachable'));
const last = (): SessionStatus | undefined => seen.at(-1);

beforeEach(() => {
  now = Date.UTC(2026, 10, 20);
  answers = [];
  requests = 0;
  refusals = [];
  seen = [];
  ended = () => Promise.resolve();
  const source: SessionSource = {
    find: (refused) => {
      refusals.push(refused);
      return (answers[requests++] ?? unreachable)();
    },
    end: () => ended(),
  };
  provider = new AccessTokenProvider(
    source,
    (status) => seen.push(status),
    () => now,
  );
});

describe('AccessTokenProvider', () => {
  it('sends one request for concurrent callers', async () => {
    answers = [() => Promise.resolve(session('one', 10))];
    expect(await Promise.all([provider.token(), provider.token(), provider.refresh()])).toEqual([
      'one',
      'one',
      expect.objectContaining({ access_token: 'one' }),
    ]);
    expect(requests).toBe(1);
    expect(seen).toEqual([{ state: 'signed-in', user: ADA }]);
  });

  it('replaces the token one minute before it expires, not earlier', async () => {
    answers = [() => Promise.resolve(session('one', 10)), () => Promise.resolve(session('two', 10))];
    await provider.token();
    now += 9 * MINUTE - 1;
    expect(await provider.token()).toBe('one');
    now += 1;
    expect(await provider.token()).toBe('two');
    expect(requests).toBe(2);
  });

  it('uses a new token that seems expired because of a wrong clock', async () => {
    answers = [() => Promise.resolve(session('one', -60))];
    await provider.token();
    expect(await provider.token()).toBe('one');
    expect(requests).toBe(1);
  });

  it('is signed out when there is no session', async () => {
    answers = [() => Promise.resolve(undefined)];
    expect(await provider.token()).toBeUndefined();
    expect(last()).toEqual({ state: 'signed-out', user: undefined });
  });

  it('is unreachable, not signed out, when the request fails', async () => {
    await expect(provider.token()).rejects.toThrow('unreachable');
    expect(last()?.state).toBe('unreachable');
  });

  it('keeps using a valid token when the request fails', async () => {
    answers = [() => Promise.resolve(session('one', 10))];
    await provider.token();
    now += 9.5 * MINUTE;
    expect(await provider.token()).toBe('one');
    expect(last()?.state).toBe('signed-in');
    now += MINUTE;
    await expect(provider.token()).rejects.toThrow('unreachable');
    expect(last()).toEqual({ state: 'unreachable', user: ADA });
  });

  it('renews a refused token once for all callers', async () => {
    answers = [() => Promise.resolve(session('one', 10)), () => Promise.resolve(session('two', 10))];
    await provider.token();
    expect(await Promise.all([provider.renew('one'), provider.renew('one')])).toEqual(['two', 'two']);
    expect(await provider.renew('one')).toBe('two');
    expect(refusals).toEqual([undefined, 'one']);
  });

  it('sends a new request when a pending one returns the refused token', async () => {
    answers = ['one', 'one', 'two'].map((token) => () => Promise.resolve(session(token, 10)));
    await provider.token();
    const [, renewed] = await Promise.all([provider.refresh(), provider.renew('one')]);
    expect(renewed).toBe('two');
    expect(refusals).toEqual([undefined, undefined, 'one']);
  });

  it('returns no token when the source returns the refused one again', async () => {
    answers = [() => Promise.resolve(session('one', 10)), () => Promise.resolve(session('one', 10))];
    await provider.token();
    expect(await provider.renew('one')).toBeUndefined();
    expect(requests).toBe(2);
  });

  it('fails when no other token can be requested', async () => {
    answers = [() => Promise.resolve(session('one', 10))];
    await provider.token();
    await expect(provider.renew('one')).rejects.toThrow('unreachable');
    expect(last()?.state).toBe('signed-in');
  });

  it('stays signed out when a response arrives after the sign-out', async () => {
    let answer: (found: BrowserSession) => void = () => undefined;
    answers = [() => new Promise((resolve) => (answer = resolve))];
    const token = provider.token();
    await provider.end('here');
    answer(session('late', 10));
    expect(await token).toBeUndefined();
    expect(last()?.state).toBe('signed-out');
  });

  it('stays signed in when signing out failed', async () => {
    answers = [() => Promise.resolve(session('one', 10))];
    await provider.token();
    ended = unreachable;
    await expect(provider.end('here')).rejects.toThrow('unreachable');
    expect(last()?.state).toBe('signed-in');
  });
});
