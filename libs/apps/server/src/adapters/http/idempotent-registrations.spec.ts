import { beforeEach, describe, expect, it } from '@jest/globals';
import type { App } from '@homeport/apps/contracts';
import { AppNotFound, SubdomainTaken } from '../../domain/registry/apps.errors';
import { InMemoryIdempotencyKeys } from '../memory/in-memory-idempotency-keys';
import { IdempotentRegistrations } from './idempotent-registrations';

const ada = { issuer: 'https://issuer.example', subject: 'ada', organization: 'northwind' };
const wish = (more: object = {}) => ({ name: 'My Shop', type: 'static' as const, idempotencyKey: 'k', ...more });
const app = { id: 'one' } as App;

describe('IdempotentRegistrations', () => {
  let calls: unknown[];
  let outcome: () => Promise<App>;
  let keys: InMemoryIdempotencyKeys;
  let registrations: IdempotentRegistrations;

  beforeEach(() => {
    calls = [];
    outcome = async () => app;
    keys = new InMemoryIdempotencyKeys();
    const registry = {
      register: (_member: unknown, asked: unknown) => (calls.push(asked), outcome()),
      get: async () => {
        throw new AppNotFound();
      },
    };
    registrations = new IdempotentRegistrations(registry, keys);
  });

  it('registers anew without a key', async () => {
    const plain = { name: 'My Shop', type: 'static' as const };
    for (let i = 0; i < 2; i += 1) {
      expect(await registrations.register(ada, plain, 'r')).toEqual({ status: 201, body: app, isReplayed: false });
    }
    expect(calls).toHaveLength(2);
  });

  it('registers once with a key, and repeats the answer', async () => {
    expect(await registrations.register(ada, wish(), 'r')).toEqual({ status: 201, body: app, isReplayed: false });
    expect(await registrations.register(ada, wish(), 'r2')).toEqual({ status: 201, body: app, isReplayed: true });
    expect(calls).toEqual([wish()]);
  });

  it('repeats a refusal', async () => {
    outcome = () => Promise.reject(new SubdomainTaken('my-shop'));
    await expect(registrations.register(ada, wish(), 'r')).rejects.toBeInstanceOf(SubdomainTaken);
    outcome = async () => app;
    expect(await registrations.register(ada, wish(), 'r2')).toMatchObject({
      status: 409,
      body: { code: 'apps.subdomain-taken', request_id: 'r' },
      isReplayed: true,
    });
  });

  it('tries again after a failure of ours', async () => {
    outcome = () => Promise.reject(new Error('broken'));
    await expect(registrations.register(ada, wish(), 'r')).rejects.toThrow('broken');
    outcome = async () => app;
    expect(await registrations.register(ada, wish(), 'r')).toMatchObject({ status: 201, isReplayed: false });
  });

  it('gives the answer also when it cannot be kept', async () => {
    keys.finish = () => Promise.reject(new Error('away'));
    expect(await registrations.register(ada, wish(), 'r')).toMatchObject({ status: 201 });
  });

  it.each([[{ name: 'Other' }], [{ type: 'ssr' as const }]])(
    'refuses another request with the same key',
    async (more) => {
      await registrations.register(ada, wish(), 'r');
      await expect(registrations.register(ada, wish(more), 'r')).rejects.toMatchObject({
        code: 'platform.idempotency-mismatch',
      });
    },
  );

  it('refuses a second request while the first is under way', async () => {
    const first = Promise.withResolvers<App>();
    outcome = () => first.promise;
    const answer = registrations.register(ada, wish(), 'r');
    await expect(registrations.register(ada, wish(), 'r')).rejects.toMatchObject({
      code: 'platform.idempotency-in-progress',
    });
    first.resolve(app);
    expect(await answer).toMatchObject({ status: 201 });
  });

  it.each(['', ' ', 'a b', 'ä', 'x'.repeat(256)])('takes "%s" for no key', async (idempotencyKey) => {
    await expect(registrations.register(ada, wish({ idempotencyKey }), 'r')).rejects.toMatchObject({
      code: 'platform.invalid-request',
    });
  });

  it('takes 255 visible characters', async () => {
    expect(await registrations.register(ada, wish({ idempotencyKey: '~'.repeat(255) }), 'r')).toMatchObject({
      status: 201,
    });
  });
});
