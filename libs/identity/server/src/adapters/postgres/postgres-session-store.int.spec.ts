import { randomBytes } from 'node:crypto';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Database, createDatabase, type DatabaseOptions, migrate } from '@homeport/platform/server/database';
import { DatabaseUnavailable } from '@homeport/kernel';
import { type FreshDatabase, freshDatabase } from '@homeport/platform/server/testing';
import type { StoredSession } from '../../application/session-store.port';
import { SealedBox } from '../../domain/sealed-box';
import { sessionStoreContract } from '../../testing/session-store.contract';
import { Sessions1763600000100 } from './migrations/1763600000100-sessions';
import { SessionList1763700000100 } from './migrations/1763700000100-session-list';
import { PostgresSealedSessions } from './postgres-sealed-sessions';
import { PostgresSessionStore } from './postgres-session-store';
import { SessionEntity } from './session.entity';

const KEY = randomBytes(32);
const NEWER_KEY = randomBytes(32);

let fresh: FreshDatabase;
let database: Database;
let store: PostgresSessionStore;

beforeAll(async () => {
  fresh = await freshDatabase();
  await migrate(optionsFor(fresh.url));
  database = await createDatabase(optionsFor(fresh.url)).open();
  store = storeWith(KEY);
});

afterAll(async () => {
  if (database?.source.isInitialized) await database.close();
  await fresh?.drop();
});

function optionsFor(url: string): DatabaseOptions {
  return {
    url,
    poolSize: 4,
    entities: [SessionEntity],
    migrations: [Sessions1763600000100, SessionList1763700000100],
  };
}

function storeWith(...keys: Buffer[]): PostgresSessionStore {
  return new PostgresSessionStore(database, new SealedBox(keys));
}

async function added(to = store): Promise<StoredSession> {
  const session: StoredSession = {
    id: randomBytes(32).toString('base64url'),
    user: { sub: 'person-1' },
    accessToken: 'plain-access-token',
    accessExpiresAt: new Date('2026-10-01T12:00:00Z'),
    refreshToken: 'plain-refresh-token',
    createdAt: new Date('2026-10-01T11:00:00Z'),
    lastUsedAt: new Date('2026-10-01T11:30:00Z'),
    device: 'A Browser/1.0',
  };
  await to.add(session);
  return session;
}

sessionStoreContract(PostgresSessionStore.name, () => store);

describe('PostgresSessionStore at rest', () => {
  it('stores no session id and no token in plain text', async () => {
    const { id } = await added();
    const [dump] = await database.source.query<{ text: string }[]>(
      'select string_agg(row_to_json(s)::text, chr(10)) as text from identity.sessions s',
    );
    expect(dump?.text).toContain('person-1');
    expect(dump?.text).not.toContain('plain-');
    expect(dump?.text).not.toContain(id);
    expect(dump?.text).not.toContain(Buffer.from(id).toString('hex'));
  });

  it('opens sessions sealed with the previous key, but not with a removed key', async () => {
    const session = await added();
    expect(await storeWith(NEWER_KEY, KEY).find(session.id)).toEqual(session);
    expect(await storeWith(NEWER_KEY).find(session.id)).toBeUndefined();
    expect(await storeWith(NEWER_KEY).remove(session.id)).toBeUndefined();
    expect(await store.find(session.id)).toBeUndefined();
  });

  it('binds tokens to their session: tokens copied to another row cannot be opened', async () => {
    const [own, stolen] = [await added(), await added()];
    await database.source.query(
      `update identity.sessions mine set access_token = theirs.access_token, refresh_token = theirs.refresh_token
         from identity.sessions theirs
        where mine.id_hash = sha256($1::text::bytea) and theirs.id_hash = sha256($2::text::bytea)`,
      [own.id, stolen.id],
    );
    expect(await store.find(own.id)).toBeUndefined();
    expect(await store.find(stolen.id)).toEqual(stolen);
  });
});

describe('PostgresSessionStore without its database', () => {
  it('reports an unavailable database instead of a missing session', async () => {
    const session = await added();
    const wire = await openWire(new URL(fresh.url));
    const unavailable = await createDatabase(optionsFor(wire.url)).open();
    try {
      const cutOff = new PostgresSessionStore(unavailable, new SealedBox([KEY]));
      expect(await cutOff.find(session.id)).toEqual(session);
      await wire.cut();
      const calls = [
        () => cutOff.find(session.id),
        () => cutOff.add({ ...session, id: 'another' }),
        () => cutOff.acquireRenewalLease(session.id, 1_000),
        () => cutOff.replace(session, new Date(0)),
        () => cutOff.release(session.id, new Date(0)),
        () => cutOff.remove(session.id),
        () => cutOff.listBySubject('person-1'),
        () => cutOff.removeByHandle('person-1', 'handle'),
        () => cutOff.removeIdle(new Date(0)),
      ];
      for (const call of calls) await expect(call()).rejects.toBeInstanceOf(DatabaseUnavailable);
    } finally {
      await wire.cut();
      await unavailable.close();
    }
    expect(await store.find(session.id)).toEqual(session);
  });
});

/** A connection to PostgreSQL that a test can cut like a failing network. */
async function openWire(target: URL): Promise<{ url: string; cut(): Promise<void> }> {
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.on('error', () => other.destroy()).on('close', () => other.destroy());
      one.pipe(other);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(target);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: url.href,
    cut: async () => {
      for (const socket of sockets) socket.destroy();
      if (server.listening) await new Promise((resolve) => server.close(resolve));
    },
  };
}

it('counts the active sessions of each key', async () => {
  const session = async (key: Buffer, lastUsedAt: Date) => {
    const id = randomBytes(32).toString('base64url');
    const [accessExpiresAt, user, device] = [lastUsedAt, { sub: 'counted' }, ''];
    await storeWith(key).add({
      id,
      user,
      accessToken: 'a',
      accessExpiresAt,
      createdAt: lastUsedAt,
      lastUsedAt,
      device,
    });
  };
  await database.source.query('truncate identity.sessions');
  const now = new Date();
  for (const key of [NEWER_KEY, NEWER_KEY, KEY, randomBytes(32)]) await session(key, now);
  // Ended, because it was not used for 8 days.
  await session(KEY, new Date(now.getTime() - 8 * 86_400_000));
  const use = await new PostgresSealedSessions(database, new SealedBox([NEWER_KEY, KEY])).keyUse();
  expect(use).toEqual({ newest: 2, older: 1, unreadable: 1 });
});
