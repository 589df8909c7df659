import { beforeEach, describe, expect, it } from '@jest/globals';
import type { App } from '@homeport/apps/contracts';
import { AppNotFound, SubdomainTaken } from '../domain/apps.errors';
import { InMemoryIdempotencyKeys } from '../adapters/memory/in-memory-idempotency-keys';
import { RegisterAppOnce } from './register-app-once';

const ada = { issuer: 'https://issuer.example', subject: 'ada', organization: 'northwind' };
const registration = (more: object = {}) => ({
  name: 'My Shop',
  type: 'static' as const,
  idempotencyKey: 'k',
  ...more,
});
const app = { id: 'one' } as App;

describe('RegisterAppOnce', () => {
  let calls: unknown[];
  let outcome: () => Promise<App>;
  let keys: InMemoryIdempotencyKeys;
  let registerOnce: RegisterAppOnce;

  beforeEach(() => {
    calls = [];
    outcome = async () => app;
    keys = new InMemoryIdempotencyKeys();
    const registerApp = { execute: (_member: unknown, request: unknown) => (calls.push(request), outcome()) };
    const catalog = {
      get: async () => {
        throw new AppNotFound();
      },
    };
    registerOnce = new RegisterAppOnce({ registerApp, catalog, keys });
  });

  it('registers each time without a key', async () => {
    const plain = { name: 'My Shop', type: 'static' as const };
    for (let i = 0; i < 2; i += 1) {
      expect(await registerOnce.execute(ada, plain, 'r')).toEqual({ status: 201, body: app, isReplayed: false });
    }
    expect(calls).toHaveLength(2);
  });

  it('registers once with a key, and replays the response', async () => {
    expect(await registerOnce.execute(ada, registration(), 'r')).toEqual({
      status: 201,
      body: app,
      isReplayed: false,
    });
    expect(await registerOnce.execute(ada, registration(), 'r2')).toEqual({
      status: 201,
      body: app,
      isReplayed: true,
    });
    expect(calls).toEqual([registration()]);
  });

  it('replays a rejection', async () => {
    outcome = () => Promise.reject(new SubdomainTaken('my-shop'));
    await expect(registerOnce.execute(ada, registration(), 'r')).rejects.toBeInstanceOf(SubdomainTaken);
    outcome = async () => app;
    expect(await registerOnce.execute(ada, registration(), 'r2')).toMatchObject({
      status: 409,
      body: { code: 'apps.subdomain-taken', request_id: 'r' },
      isReplayed: true,
    });
  });

  it('tries again after an internal error', async () => {
    outcome = () => Promise.reject(new Error('broken'));
    await expect(registerOnce.execute(ada, registration(), 'r')).rejects.toThrow('broken');
    outcome = async () => app;
    expect(await registerOnce.execute(ada, registration(), 'r')).toMatchObject({ status: 201, isReplayed: false });
  });

  it('responds even if the response cannot be stored', async () => {
    keys.finish = () => Promise.reject(new Error('unavailable'));
    expect(await registerOnce.execute(ada, registration(), 'r')).toMatchObject({ status: 201 });
  });

  it.each([[{ name: 'Other' }], [{ type: 'ssr' as const }]])(
    'rejects another request with the same key',
    async (more) => {
      await registerOnce.execute(ada, registration(), 'r');
      await expect(registerOnce.execute(ada, registration(more), 'r')).rejects.toMatchObject({
        code: 'platform.idempotency-mismatch',
      });
    },
  );

  it('rejects a second request while the first is in progress', async () => {
    const first = Promise.withResolvers<App>();
    outcome = () => first.promise;
    const answer = registerOnce.execute(ada, registration(), 'r');
    await expect(registerOnce.execute(ada, registration(), 'r')).rejects.toMatchObject({
      code: 'platform.idempotency-in-progress',
    });
    first.resolve(app);
    expect(await answer).toMatchObject({ status: 201 });
  });

  it.each(['', ' ', 'a b', 'ä', 'x'.repeat(256)])('rejects the key "%s"', async (idempotencyKey) => {
    await expect(registerOnce.execute(ada, registration({ idempotencyKey }), 'r')).rejects.toMatchObject({
      code: 'platform.invalid-request',
    });
  });

  it('accepts 255 visible characters', async () => {
    expect(await registerOnce.execute(ada, registration({ idempotencyKey: '~'.repeat(255) }), 'r')).toMatchObject({
      status: 201,
    });
  });
});
