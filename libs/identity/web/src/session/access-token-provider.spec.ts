import { beforeEach, describe, expect, it } from '@jest/globals';
import type { BrowserSession } from '@homeport/identity/contracts';
import { AccessTokenProvider, type SessionSource, type SessionStatus } from './access-token-provider';

const MINUTE = 60_000;
const ADA = { sub: 'ada', organization: null };
let now: number;
let answers: (() => Promise<BrowserSession | undefined>)[];
let asked: number;
let refusals: (string | undefined)[];
let seen: SessionStatus[];
let ended: () => Promise<void>;
let keeper: AccessTokenProvider;

const session = (token: string, minutes: number): BrowserSession => ({
  access_token: token,
  expires_at: new Date(now + minutes * MINUTE).toISOString(),
  user: ADA,
});
const unreachable = (): Promise<never> => Promise.reject(new Error('nobody there'));
const last = (): SessionStatus | undefined => seen.at(-1);

beforeEach(() => {
  now = Date.UTC(2026, 10, 20);
  answers = [];
  asked = 0;
  refusals = [];
  seen = [];
  ended = () => Promise.resolve();
  const source: SessionSource = {
    find: (refused) => {
      refusals.push(refused);
      return (answers[asked++] ?? unreachable)();
    },
    end: () => ended(),
  };
  keeper = new AccessTokenProvider(
    source,
    (status) => seen.push(status),
    () => now,
  );
});

describe('AccessTokenProvider', () => {
  it('asks once for callers at the same time', async () => {
    answers = [() => Promise.resolve(session('one', 10))];
    expect(await Promise.all([keeper.token(), keeper.token(), keeper.refresh()])).toEqual([
      'one',
      'one',
      expect.objectContaining({ access_token: 'one' }),
    ]);
    expect(asked).toBe(1);
    expect(seen).toEqual([{ state: 'signed-in', user: ADA }]);
  });

  it('replaces the token a minute before it ends, and not before', async () => {
    answers = [() => Promise.resolve(session('one', 10)), () => Promise.resolve(session('two', 10))];
    await keeper.token();
    now += 9 * MINUTE - 1;
    expect(await keeper.token()).toBe('one');
    now += 1;
    expect(await keeper.token()).toBe('two');
    expect(asked).toBe(2);
  });

  it('uses a new token that seems old already, because a clock is wrong', async () => {
    answers = [() => Promise.resolve(session('one', -60))];
    await keeper.token();
    expect(await keeper.token()).toBe('one');
    expect(asked).toBe(1);
  });

  it('is signed out when there is no session', async () => {
    answers = [() => Promise.resolve(undefined)];
    expect(await keeper.token()).toBeUndefined();
    expect(last()).toEqual({ state: 'signed-out', user: undefined });
  });

  it('is unreachable, not signed out, when nobody answers', async () => {
    await expect(keeper.token()).rejects.toThrow('nobody there');
    expect(last()?.state).toBe('unreachable');
  });

  it('works on with a token that is still good when nobody answers', async () => {
    answers = [() => Promise.resolve(session('one', 10))];
    await keeper.token();
    now += 9.5 * MINUTE;
    expect(await keeper.token()).toBe('one');
    expect(last()?.state).toBe('signed-in');
    now += MINUTE;
    await expect(keeper.token()).rejects.toThrow('nobody there');
    expect(last()).toEqual({ state: 'unreachable', user: ADA });
  });

  it('renews a refused token once for all who had it', async () => {
    answers = [() => Promise.resolve(session('one', 10)), () => Promise.resolve(session('two', 10))];
    await keeper.token();
    expect(await Promise.all([keeper.renew('one'), keeper.renew('one')])).toEqual(['two', 'two']);
    expect(await keeper.renew('one')).toBe('two');
    expect(refusals).toEqual([undefined, 'one']);
  });

  it('asks anew when an answer that was under way brings the very token that was refused', async () => {
    answers = ['one', 'one', 'two'].map((token) => () => Promise.resolve(session(token, 10)));
    await keeper.token();
    const [, renewed] = await Promise.all([keeper.refresh(), keeper.renew('one')]);
    expect(renewed).toBe('two');
    expect(refusals).toEqual([undefined, undefined, 'one']);
  });

  it('has no other token when it is given the refused one again', async () => {
    answers = [() => Promise.resolve(session('one', 10)), () => Promise.resolve(session('one', 10))];
    await keeper.token();
    expect(await keeper.renew('one')).toBeUndefined();
    expect(asked).toBe(2);
  });

  it('says that nobody can be asked for another token', async () => {
    answers = [() => Promise.resolve(session('one', 10))];
    await keeper.token();
    await expect(keeper.renew('one')).rejects.toThrow('nobody there');
    expect(last()?.state).toBe('signed-in');
  });

  it('stays signed out when an answer comes after the sign-out', async () => {
    let answer: (found: BrowserSession) => void = () => undefined;
    answers = [() => new Promise((resolve) => (answer = resolve))];
    const token = keeper.token();
    await keeper.end();
    answer(session('late', 10));
    expect(await token).toBeUndefined();
    expect(last()?.state).toBe('signed-out');
  });

  it('stays signed in when signing out failed', async () => {
    answers = [() => Promise.resolve(session('one', 10))];
    await keeper.token();
    ended = unreachable;
    await expect(keeper.end()).rejects.toThrow('nobody there');
    expect(last()?.state).toBe('signed-in');
  });
});
