import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SignInAttempt } from '../../application/identity-provider.port';
import { SealedBox } from '../../domain/sealed-box';
import { SessionCookies } from './session-cookies';

const MINUTE = 60_000;

/** A browser's cookie jar: stores cookies of replies and sends them with requests. */
class Browser {
  readonly cookies: Record<string, string> = {};
  readonly options: Record<string, CookieSerializeOptions> = {};

  get reply(): FastifyReply {
    const setCookie = (name: string, value: string, options: CookieSerializeOptions) => {
      this.options[name] = options;
      if (options.maxAge === 0) Reflect.deleteProperty(this.cookies, name);
      else this.cookies[name] = value;
    };
    return { setCookie } as unknown as FastifyReply;
  }

  get request(): FastifyRequest {
    return { cookies: { ...this.cookies } } as unknown as FastifyRequest;
  }
}

function attemptWith(state: string): SignInAttempt {
  return { state, nonce: `nonce of ${state}`, codeVerifier: `verifier of ${state}`, returnTo: '/files' };
}

const STATE = 'abcdefghijkl-0123456789';
const box = new SealedBox([randomBytes(32)]);
let time: number;
let browser: Browser;
let cookies: SessionCookies;

beforeEach(() => {
  time = Date.parse('2026-10-01T12:00:00Z');
  browser = new Browser();
  cookies = new SessionCookies('http://localhost:3000', box, () => time);
});

describe.each([
  ['http://localhost:3000', '', false],
  ['https://homeport.example', '__Host-', true],
  ['HTTPS://homeport.example', '__Host-', true],
])('SessionCookies on %s', (publicUrl, prefix, secure) => {
  const flags = { path: '/', httpOnly: true, sameSite: 'lax', secure };

  beforeEach(() => {
    cookies = new SessionCookies(publicUrl, box, () => time);
  });

  it('sets name and flags of the session cookie', () => {
    cookies.setSession(browser.reply, 'id-1');
    expect(Object.keys(browser.cookies)).toEqual([`${prefix}homeport_session`]);
    expect(browser.cookies[`${prefix}homeport_session`]).not.toContain('id-1');
    expect(browser.options).toStrictEqual({
      [`${prefix}homeport_session`]: { ...flags, maxAge: 2_592_000 },
      [`${prefix}homeport_signed_out`]: { ...flags, maxAge: 0 },
    });
    expect(cookies.sessionIdIn(browser.request)).toBe('id-1');
  });

  it('sets name and flags of the cookie of a sign-in attempt', () => {
    cookies.setAttempt(browser.request, browser.reply, attemptWith(STATE));
    expect(browser.options).toStrictEqual({ [`${prefix}homeport_signin_abcdefghijkl`]: { ...flags, maxAge: 600 } });
    expect(cookies.attemptIn(browser.request, STATE)).toStrictEqual(attemptWith(STATE));
  });

  it('clears a cookie with the same flags that set it', () => {
    cookies.setSession(browser.reply, 'id-1');
    cookies.setAttempt(browser.request, browser.reply, attemptWith(STATE));
    cookies.clearSession(browser.reply);
    cookies.clearAttempt(browser.reply, STATE);
    expect(browser.cookies).toEqual({});
    expect(Object.values(browser.options)).toStrictEqual([
      { ...flags, maxAge: 0 },
      { ...flags, maxAge: 0 },
      { ...flags, maxAge: 0 },
    ]);
  });

  it('marks the browser as signed out until the next sign-in', () => {
    expect(cookies.mayBeDifferentUser(browser.request)).toBe(false);
    cookies.markSignedOut(browser.reply);
    expect(browser.options[`${prefix}homeport_signed_out`]).toStrictEqual({ ...flags, maxAge: 2_592_000 });
    expect(cookies.mayBeDifferentUser(browser.request)).toBe(true);
    cookies.setSession(browser.reply, 'id-1');
    cookies.clearSession(browser.reply);
    expect(cookies.mayBeDifferentUser(browser.request)).toBe(false);
  });

  it('ignores cookies with other names', () => {
    Object.assign(browser.cookies, { session: 'x', [`${secure ? '' : '__Host-'}homeport_session`]: 'x' });
    expect(cookies.sessionIdIn(browser.request)).toBeUndefined();
  });
});

describe('SessionCookies with rotated keys', () => {
  const [older, newer] = [randomBytes(32), randomBytes(32)];
  const cookiesWith = (...keys: Buffer[]) => new SessionCookies('http://localhost', new SealedBox(keys));

  it('replaces a cookie of an older key once, so that the key can be removed', () => {
    cookiesWith(older).setSession(browser.reply, 'id-1');
    const rotated = cookiesWith(newer, older);
    rotated.renewSession(browser.request, browser.reply);
    expect(cookiesWith(newer).sessionIdIn(browser.request)).toBe('id-1');
    const renewed = { ...browser.cookies };
    rotated.renewSession(browser.request, browser.reply);
    expect(browser.cookies).toEqual(renewed);
  });

  it('leaves a cookie of an unknown key, and a browser without one', () => {
    cookiesWith(newer).renewSession(browser.request, browser.reply);
    expect(browser.cookies).toEqual({});
    cookiesWith(older).setSession(browser.reply, 'id-1');
    const before = { ...browser.cookies };
    cookiesWith(newer).renewSession(browser.request, browser.reply);
    expect(browser.cookies).toEqual(before);
  });
});

describe('SessionCookies with sign-in attempts', () => {
  it('keeps several attempts apart', () => {
    const [one, other] = [attemptWith('first-attempt-0001'), attemptWith('other-attempt-0002')];
    cookies.setAttempt(browser.request, browser.reply, one);
    cookies.setAttempt(browser.request, browser.reply, other);
    expect(cookies.attemptIn(browser.request, one.state)).toEqual(one);
    cookies.clearAttempt(browser.reply, one.state);
    expect(cookies.attemptIn(browser.request, one.state)).toBeUndefined();
    expect(cookies.attemptIn(browser.request, other.state)).toEqual(other);
  });

  it('keeps the newest four attempts and leaves other cookies alone', () => {
    const states = [1, 2, 3, 4, 5, 6].map((each) => `attempt-${each}-of-six`);
    Object.assign(browser.cookies, { homeport_signin_forged: 'x', homeport_session: 'id-1', other: 'y' });
    for (const state of states) {
      time += 1;
      cookies.setAttempt(browser.request, browser.reply, attemptWith(state));
    }
    const found = states.filter((state) => cookies.attemptIn(browser.request, state) !== undefined);
    expect(found).toEqual(states.slice(2));
    expect(Object.keys(browser.cookies)).toHaveLength(6);
    expect(browser.cookies).toMatchObject({ homeport_session: 'id-1', other: 'y' });
  });

  it('finds no attempt for a state that shares only a prefix', () => {
    cookies.setAttempt(browser.request, browser.reply, attemptWith(STATE));
    expect(cookies.attemptIn(browser.request, `${STATE}x`)).toBeUndefined();
    expect(cookies.attemptIn(browser.request, STATE.slice(0, 12))).toBeUndefined();
  });

  it.each(['', 'unheard-of', '; Path=/', '__proto__', '\0'])('finds no attempt for the state %j', (state) => {
    cookies.setAttempt(browser.request, browser.reply, attemptWith(STATE));
    expect(cookies.attemptIn(browser.request, state)).toBeUndefined();
  });

  it('derives a safe cookie name from any state', () => {
    cookies.clearAttempt(browser.reply, 'a=b; Path=/x\r\nc"d,e\\f');
    expect(Object.keys(browser.options)).toEqual(['homeport_signin_abPathxcdef']);
  });

  it('encrypts the content of an attempt', () => {
    cookies.setAttempt(browser.request, browser.reply, attemptWith(STATE));
    const [sealed = ''] = Object.values(browser.cookies);
    expect(sealed).not.toContain('verifier');
    expect(Buffer.from(sealed, 'base64url').toString('latin1')).not.toContain('verifier');
  });

  it('keeps the cookie small for the longest return path', () => {
    const secret = 'x'.repeat(43);
    const returnTo = `/${'x'.repeat(511)}`;
    cookies.setAttempt(browser.request, browser.reply, {
      state: secret,
      nonce: secret,
      codeVerifier: secret,
      returnTo,
    });
    const [[name, value] = ['', '']] = Object.entries(browser.cookies);
    expect(name.length + value.length).toBeLessThan(1_200);
  });

  it('stays far below the header size limit after many unfinished sign-ins', () => {
    cookies.setSession(browser.reply, 'x'.repeat(43));
    for (let started = 0; started < 41; started++) {
      time += 1;
      const secret = `${started}`.padStart(43, 'x');
      const attempt = { state: `${started}-${secret}`, nonce: secret, codeVerifier: secret };
      cookies.setAttempt(browser.request, browser.reply, { ...attempt, returnTo: `/${'x'.repeat(511)}` });
    }
    const header = Object.entries(browser.cookies).map(([name, value]) => `${name}=${value}`);
    expect(header.join('; ').length).toBeLessThan(6_000);
  });

  it('accepts an attempt for ten minutes', () => {
    cookies.setAttempt(browser.request, browser.reply, attemptWith(STATE));
    time += 10 * MINUTE - 1;
    expect(cookies.attemptIn(browser.request, STATE)).toBeDefined();
    time += 1;
    expect(cookies.attemptIn(browser.request, STATE)).toBeUndefined();
  });

  it('rejects attempts that were altered, or sealed for another purpose or with another key', () => {
    const name = 'homeport_signin_abcdefghijkl';
    cookies.setAttempt(browser.request, browser.reply, attemptWith(STATE));
    const sealed = browser.cookies[name] as string;
    const text = JSON.stringify({ ...attemptWith(STATE), startedAt: time });
    const wrong = [
      '',
      text,
      `${sealed}A`,
      sealed.slice(1),
      box.seal(text, 'session'),
      new SealedBox([randomBytes(32)]).seal(text, 'sign-in attempt'),
    ];
    for (const each of wrong) {
      browser.cookies[name] = each;
      expect(cookies.attemptIn(browser.request, STATE)).toBeUndefined();
    }
    browser.cookies[name] = sealed;
    expect(cookies.attemptIn(browser.request, STATE)).toBeDefined();
  });
});
