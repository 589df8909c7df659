import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { TokenRepository } from '../tokens/application/token-repository.port';
import type { TokenOwner, TokenRecord } from '../tokens/domain/token-record';
import { newToken } from './token-fixtures';

/** The contract of every `TokenRepository` adapter. */
export function tokenRepositoryContract(name: string, open: () => TokenRepository): void {
  const added = async (changes: Partial<TokenRecord> = {}): Promise<TokenRecord> => {
    const { token } = newToken(changes);
    await open().add(token);
    return token;
  };
  const newOwner = () => ({ kind: 'organization', organization: randomUUID() }) as const;
  const newPerson = () => ({ kind: 'personal', issuer: 'https://issuer.example', subject: randomUUID() }) as const;
  const [before, after] = [new Date('2026-10-01T12:00:00.001Z'), new Date('2026-10-01T12:00:00.002Z')];

  describe(`${name} as a token repository`, () => {
    it('finds a token of each kind by its hash, with all values', async () => {
      const full = {
        name: 'Ünïcode “name”',
        scopes: ['apps:read', 'deploys:write'],
        appId: randomUUID(),
        expiresAt: new Date('2026-11-01T12:00:00.789Z'),
        lastUsedAt: before,
      } as const;
      const stored = [
        await added(),
        await added(full),
        await added({ kind: 'personal', organization: undefined, prefix: 'reports/2026/', scopes: ['files:read'] }),
        await added({ ...full, kind: 'ci', trustId: randomUUID() }),
      ];
      for (const token of stored) expect(await open().findByHash(token.hash)).toEqual(token);
      expect(await open().findByHash(newToken().token.hash)).toBeUndefined();
    });

    it('rejects a second token with the same hash', async () => {
      const { hash } = await added();
      await expect(open().add(newToken({ hash }).token)).rejects.toThrow();
    });

    it('lists the tokens of one owner only, newest first', async () => {
      const [owner, person] = [newOwner(), newPerson()];
      const { organization } = owner;
      const older = await added({ organization, createdAt: before });
      const newer = await added({ organization, createdAt: after });
      const personal = await added({ ...person, organization });
      await added({ ...person, subject: randomUUID(), organization });
      await added({ ...person, issuer: 'https://other.example', organization });
      await added({
        ...{ kind: 'ci', organization, appId: randomUUID(), trustId: randomUUID(), expiresAt: after },
        subject: person.subject,
      });
      expect(await open().list(owner)).toEqual([newer, older]);
      expect(await open().list(person)).toEqual([personal]);
      expect(await open().list(newOwner())).toEqual([]);
    });

    it('removes a token only for its owner, and returns it once', async () => {
      const [owner, other, person] = [newOwner(), newOwner(), newPerson()];
      const token = await added({ organization: owner.organization });
      const foreign: readonly TokenOwner[] = [other, person, { ...person, subject: token.subject }];
      for (const each of foreign) expect(await open().remove(each, token.id)).toBeUndefined();
      for (const id of ['', 'x', `${token.id}x`, randomUUID(), `{${token.id}}`]) {
        expect(await open().remove(owner, id)).toBeUndefined();
      }
      expect(await open().findByHash(token.hash)).toEqual(token);
      expect(await open().remove(owner, token.id.toUpperCase())).toEqual(token);
      expect(await open().remove(owner, token.id)).toBeUndefined();
      expect(await open().findByHash(token.hash)).toBeUndefined();
    });

    it('removes the access tokens of one trust', async () => {
      const [appId, trustId] = [randomUUID(), randomUUID()];
      const access = await added({ kind: 'ci', appId, trustId, expiresAt: after });
      const other = await added({ kind: 'ci', appId, trustId: randomUUID(), expiresAt: after });
      await open().removeByTrust(trustId);
      expect(await open().findByHash(access.hash)).toBeUndefined();
      expect(await open().findByHash(other.hash)).toEqual(other);
    });

    it('removes expired access tokens of pipelines, and no others', async () => {
      const ci = { kind: 'ci', appId: randomUUID(), trustId: randomUUID() } as const;
      const long = await added({ ...ci, expiresAt: new Date('2001-01-01T00:00:00Z') });
      const lately = await added({ ...ci, expiresAt: new Date('2001-01-01T00:00:01Z') });
      const token = await added({ expiresAt: new Date('2001-01-01T00:00:00Z') });
      await open().removeExpiredAccessTokens(new Date('2001-01-01T00:00:01Z'));
      expect(await open().findByHash(long.hash)).toBeUndefined();
      expect(await open().findByHash(lately.hash)).toEqual(lately);
      expect(await open().findByHash(token.hash)).toEqual(token);
    });

    it('records a later use and ignores an earlier one', async () => {
      const token = await added();
      await open().recordUse(token.id, after);
      await open().recordUse(token.id, before);
      await open().recordUse(randomUUID(), after);
      expect(await open().findByHash(token.hash)).toEqual({ ...token, lastUsedAt: after });
    });
  });
}
