import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDatabase, type Database, type DatabaseOptions, migrate } from '@homeport/platform/server/database';
import { type FreshDatabase, freshDatabase } from '@homeport/platform/server/testing';
import { BrowserSignIn } from '../../application/browser-sign-in';
import { NoSession } from '../../domain/identity.errors';
import { SealedBox } from '../../domain/sealed-box';
import { FakeIdentityProvider } from '../../testing/fake-identity-provider';
import { Sessions1763600000100 } from './migrations/1763600000100-sessions';
import { SessionList1763700000100 } from './migrations/1763700000100-session-list';
import { PostgresSessionStore } from './postgres-session-store';
import { SessionEntity } from './session.entity';

const HOUR_MS = 3_600_000;
const page = readFileSync(resolve(import.meta.dirname, '../../../../../../docs/operations.md'), 'utf8');
const [, section = ''] = page.split('\n### End sessions\n');
const [FIND = '', END_ONE = '', END_ALL = ''] = [...section.matchAll(/```sql\n([^]*?)```/g)].map(([, sql = '']) => sql);

describe('the statements of docs/operations.md that end sessions', () => {
  const service = new FakeIdentityProvider();
  let fresh: FreshDatabase;
  let database: Database;
  let store: PostgresSessionStore;
  let signIn: BrowserSignIn;

  beforeAll(async () => {
    fresh = await freshDatabase();
    const options: DatabaseOptions = {
      url: fresh.url,
      poolSize: 2,
      entities: [SessionEntity],
      migrations: [Sessions1763600000100, SessionList1763700000100],
    };
    await migrate(options);
    database = await createDatabase(options).open();
    store = new PostgresSessionStore(database, new SealedBox([randomBytes(32)]));
    signIn = new BrowserSignIn([], service, store);
  });
  afterAll(async () => {
    if (database?.source.isInitialized) await database.close();
    await fresh?.drop();
  });

  /** @returns the id of a new session. */
  async function signedIn(sub: string, accessExpiresAt = new Date(Date.now() + HOUR_MS)): Promise<string> {
    const id = randomBytes(32).toString('base64url');
    const now = new Date();
    await store.add({
      id,
      user: { sub, name: `Name of ${sub}`, email: `${sub}@example.com` },
      accessToken: 'access',
      accessExpiresAt,
      refreshToken: 'refresh-0',
      createdAt: now,
      lastUsedAt: now,
      device: 'A Browser/1.0',
    });
    return id;
  }

  it('end those of one person, and then those of all', async () => {
    const [laptop, phone, other] = [await signedIn('ada'), await signedIn('ada'), await signedIn('ben')];
    for (const id of [laptop, phone, other]) expect((await signIn.current(id)).access_token).toBe('access');

    const found = await database.source.query<{ subject: string; email: string }[]>(FIND);
    const { subject = '' } = found.find(({ email }) => email === 'ada@example.com') ?? {};
    expect(END_ONE).toContain("'…'");
    await database.source.query(END_ONE.replace('…', subject));
    for (const id of [laptop, phone]) await expect(signIn.current(id)).rejects.toBeInstanceOf(NoSession);
    expect((await signIn.current(other)).user.sub).toBe('ben');

    await database.source.query(END_ALL);
    await expect(signIn.current(other)).rejects.toBeInstanceOf(NoSession);
  });

  it('end a session whose tokens are being renewed, and revoke the new grant', async () => {
    const id = await signedIn('carla', new Date(0));
    service.meanwhile = () => database.source.query(END_ONE.replace('…', 'carla'));
    await expect(signIn.current(id)).rejects.toBeInstanceOf(NoSession);
    expect(service.revoked).toContain('refresh-1');
  });
});
