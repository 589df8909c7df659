import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { TrustRepository } from '../trusts/application/trust-repository.port';
import type { ExchangedSubjectToken } from '../trusts/domain/exchanged-subject-token';
import type { TrustRecord } from '../trusts/domain/trust-record';
import { newTrust } from './token-fixtures';

/** The contract of every `TrustRepository` adapter. */
export function trustRepositoryContract(name: string, open: () => TrustRepository): void {
  const added = async (changes: Partial<TrustRecord> = {}): Promise<TrustRecord> => {
    const trust = newTrust(changes);
    await open().add(trust);
    return trust;
  };
  const [before, after] = [new Date('2026-10-01T12:00:00.001Z'), new Date('2026-10-01T12:00:00.002Z')];

  describe(`${name} as a trust repository`, () => {
    it('lists the trusts of one app of an organization, newest first', async () => {
      const [organization, appId] = [randomUUID(), randomUUID()];
      const older = await added({ organization, appId, createdAt: before });
      const newer = await added({ organization, appId, createdAt: after, lastUsedAt: after });
      await added({ organization });
      expect(await open().list(organization, appId.toUpperCase())).toEqual([newer, older]);
      expect(await open().list(randomUUID(), appId)).toEqual([]);
      expect(await open().list(organization, 'x')).toEqual([]);
    });

    it('finds the trusts of an app in one issuer, oldest first', async () => {
      const appId = randomUUID();
      const older = await added({ appId, createdAt: before });
      const newer = await added({ appId, createdAt: after });
      await added({ appId, issuer: 'https://ci.example/' });
      expect(await open().findByIssuer(appId, 'https://ci.example')).toEqual([older, newer]);
      expect(await open().findByIssuer(randomUUID(), 'https://ci.example')).toEqual([]);
      expect(await open().findByIssuer('x', 'https://ci.example')).toEqual([]);
    });

    it('removes a trust only for its app and organization, and returns it once', async () => {
      const trust = await added();
      const { organization, appId, id } = trust;
      expect(await open().remove(randomUUID(), appId, id)).toBeUndefined();
      expect(await open().remove(organization, randomUUID(), id)).toBeUndefined();
      expect(await open().remove(organization, 'x', id)).toBeUndefined();
      expect(await open().remove(organization, appId, 'x')).toBeUndefined();
      expect(await open().remove(organization, appId.toUpperCase(), id.toUpperCase())).toEqual(trust);
      expect(await open().remove(organization, appId, id)).toBeUndefined();
    });

    it('records a later use, ignores an earlier one, and reports a removed trust', async () => {
      const trust = await added();
      const { organization, appId, id } = trust;
      expect(await open().recordUse(id, after)).toBe(true);
      expect(await open().recordUse(id, before)).toBe(true);
      expect(await open().list(organization, appId)).toEqual([{ ...trust, lastUsedAt: after }]);
      await open().remove(organization, appId, id);
      expect(await open().recordUse(id, after)).toBe(false);
    });

    it('records the exchange of a token once for each app, until it is removed after its expiry', async () => {
      const token: ExchangedSubjectToken = { digest: randomBytes(32), appId: randomUUID(), expiresAt: before };
      expect(await open().recordExchange(token)).toBe(true);
      expect(await open().recordExchange({ ...token, expiresAt: after })).toBe(false);
      expect(await open().recordExchange({ ...token, appId: randomUUID(), expiresAt: after })).toBe(true);
      expect(await open().recordExchange({ ...token, digest: randomBytes(32) })).toBe(true);
      await open().removeExpiredExchanges(before);
      expect(await open().recordExchange(token)).toBe(false);
      await open().removeExpiredExchanges(after);
      expect(await open().recordExchange(token)).toBe(true);
    });

    it('admits one of several simultaneous exchanges of a token', async () => {
      const token: ExchangedSubjectToken = { digest: randomBytes(32), appId: randomUUID(), expiresAt: after };
      const outcomes = await Promise.all(Array.from({ length: 8 }, () => open().recordExchange(token)));
      expect(outcomes.filter(Boolean)).toHaveLength(1);
    });
  });
}
