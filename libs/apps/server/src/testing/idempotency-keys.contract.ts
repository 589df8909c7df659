import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { IdempotencyKeys, IdempotentRequest } from '../registry/application/idempotency-keys.port';

/** The contract of every `IdempotencyKeys` adapter. */
export function idempotencyKeysContract(name: string, open: () => IdempotencyKeys): void {
  describe(`${name} as idempotency keys`, () => {
    let count = 0;
    const fresh = (): IdempotentRequest => ({
      organization: 'northwind',
      key: `key-${process.pid}-${count++}`,
      fingerprint: 'A',
    });
    const response = { status: 201, body: { id: 'one', next: null } };

    it('replays the stored response', async () => {
      const use = fresh();
      expect(await open().begin(use)).toEqual({ kind: 'new' });
      expect(await open().begin(use)).toEqual({ kind: 'running' });
      await open().finish(use, response);
      expect(await open().begin(use)).toEqual({ kind: 'completed', response });
    });

    it('lets one of several concurrent requests proceed', async () => {
      const use = fresh();
      const states = await Promise.all(Array.from({ length: 8 }, () => open().begin(use)));
      expect(states.map(({ kind }) => kind).toSorted()).toEqual(['new', ...Array.from({ length: 7 }, () => 'running')]);
    });

    it('reports another request with the same key as a mismatch', async () => {
      const use = fresh();
      await open().begin(use);
      expect(await open().begin({ ...use, fingerprint: 'B' })).toEqual({ kind: 'mismatch' });
      await open().finish(use, response);
      expect(await open().begin({ ...use, fingerprint: 'B' })).toEqual({ kind: 'mismatch' });
    });

    it('separates the keys of organizations', async () => {
      const use = fresh();
      await open().begin(use);
      expect(await open().begin({ ...use, organization: 'globex', fingerprint: 'B' })).toEqual({ kind: 'new' });
    });

    it('keeps the first response when a later one arrives for the same request', async () => {
      const use = fresh();
      await open().begin(use);
      await open().finish(use, response);
      await open().finish(use, { status: 409, body: { code: 'apps.subdomain-taken' } });
      expect(await open().begin(use)).toEqual({ kind: 'completed', response });
    });

    it('keeps a key that is linked to an app, and stores no rejection for it', async () => {
      const use = fresh();
      await open().begin(use);
      await open().linkApp(use.organization, use.key, randomUUID());
      await open().finish(use, { status: 409, body: { code: 'apps.subdomain-taken' } });
      await open().release(use);
      expect(await open().begin(use)).toEqual({ kind: 'running' });
      await open().finish(use, response);
      expect(await open().begin(use)).toEqual({ kind: 'completed', response });
    });

    it('releases a key without a response, but not a stored response', async () => {
      const use = fresh();
      await open().begin(use);
      await open().release(use);
      expect(await open().begin(use)).toEqual({ kind: 'new' });
      await open().finish(use, response);
      await open().release(use);
      expect(await open().begin(use)).toEqual({ kind: 'completed', response });
    });
  });
}
