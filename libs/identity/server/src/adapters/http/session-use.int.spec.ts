import { afterAll, afterEach, beforeAll, beforeEach, expect, it, jest } from '@jest/globals';
import { DatabaseUnavailable } from '@homeport/kernel';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { BrowserSignIn } from '../../application/browser-sign-in';
import { FakeIdentityProvider } from '../../testing/fake-identity-provider';
import { guardedApp } from '../../testing/guarded-app';
import { TestIssuer } from '../../testing/test-issuer';
import { JwksKeySet } from '../jwks/jwks-key-set';
import { InMemorySessionStore } from '../memory/in-memory-session-store';

let issuer: TestIssuer;
let app: NestFastifyApplication;
let recorded: jest.SpiedFunction<InMemorySessionStore['recordUse']>;
let cookies: Record<string, string>;

beforeAll(async () => {
  issuer = await TestIssuer.start();
});
afterAll(() => issuer.stop());

beforeEach(async () => {
  const store = new InMemorySessionStore();
  recorded = jest.spyOn(store, 'recordUse');
  const keySet = new JwksKeySet({ jwksUri: async () => issuer.jwksUri });
  app = await guardedApp({
    rules: issuer.rules(),
    keySet,
    signIn: new BrowserSignIn([], new FakeIdentityProvider(), store),
  });
  const begun = await app.inject({ url: '/auth/sign-in' });
  const state = new URL(String(begun.headers.location)).searchParams.get('state') ?? '';
  const ended = await app.inject({ url: `/auth/callback?code=c&state=${state}`, cookies: jarOf(begun.cookies) });
  cookies = jarOf(ended.cookies.filter(({ value }) => value !== ''));
});
afterEach(() => app.close());

function jarOf(set: readonly { readonly name: string; readonly value: string }[]): Record<string, string> {
  return Object.fromEntries(set.map(({ name, value }) => [name, value]));
}

async function call(headers: Record<string, string>, jar = cookies): Promise<number> {
  return (await app.inject({ url: '/person', headers, cookies: jar })).statusCode;
}

it('records the use of a session at an authorized call, once per interval', async () => {
  const authorization = `Bearer ${await issuer.token()}`;
  for (let count = 0; count < 3; count++) expect(await call({ authorization })).toBe(200);
  expect(recorded).toHaveBeenCalledTimes(1);
});

it('records nothing for a refused token, a call without a token, or a forged cookie', async () => {
  expect(await call({ authorization: 'Bearer forged' })).toBe(401);
  expect(await call({})).toBe(401);
  const forged = Object.fromEntries(Object.keys(cookies).map((name) => [name, 'forged']));
  expect(await call({ authorization: `Bearer ${await issuer.token()}` }, forged)).toBe(200);
  expect(recorded).not.toHaveBeenCalled();
});

it('answers a session when its use cannot be recorded, and tries again at the next call', async () => {
  recorded.mockRejectedValueOnce(new DatabaseUnavailable());
  const read = () => app.inject({ url: '/auth/session', headers: { 'sec-fetch-site': 'same-origin' }, cookies });
  for (let count = 0; count < 3; count++) expect((await read()).statusCode).toBe(200);
  expect(recorded).toHaveBeenCalledTimes(2);
});
