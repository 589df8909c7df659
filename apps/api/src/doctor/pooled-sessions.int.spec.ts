import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findPrograms, PGBOUNCER, type RunningPgbouncer, startPgbouncer } from '@homeport/dev-services';
import { createDatabase } from '@homeport/platform/server/database';
import { PostgresNotifications } from '@homeport/platform/server/postgres';
import { embeddedServices, type FreshDatabase, freshDatabase } from '@homeport/platform/server/testing';
import { loadConfig } from '../config';
import { databaseOptions } from '../database-options';
import { doctorLine } from './testing/doctor-lines';

const isInstalled = (await findPrograms(PGBOUNCER)) !== undefined;

(isInstalled ? describe : describe.skip)('PgBouncer in front of PostgreSQL', () => {
  let fresh: FreshDatabase;
  let transactions: RunningPgbouncer;
  let sessions: RunningPgbouncer;
  beforeAll(async () => {
    fresh = await freshDatabase();
    transactions = await startPgbouncer({ databaseUrl: fresh.url, mode: 'transaction' });
    sessions = await startPgbouncer({ databaseUrl: fresh.url, mode: 'session' });
  });
  afterAll(async () => {
    await Promise.all([transactions.close(), sessions.close()]);
    await fresh.drop();
  });

  const line = ({ url }: RunningPgbouncer) =>
    doctorLine('database-sessions', { ...embeddedServices(), DATABASE_URL: url });

  it('in transaction mode is a fault that the doctor names', async () => {
    expect(await line(transactions)).toBe(
      'fault    database-sessions  A pooler in front of PostgreSQL shares sessions between connections, which loses ' +
        'locks and notifications. Set DATABASE_URL to PostgreSQL itself, or set the pooler to session mode ' +
        '(pool_mode = session in PgBouncer).',
    );
  });

  it('in session mode is no fault for the doctor', async () => {
    expect(await line(sessions)).toMatch(/^ok /);
  });

  it('in session mode accepts the connections of the API, and passes notifications on', async () => {
    const options = databaseOptions(loadConfig({ ...embeddedServices(), DATABASE_URL: sessions.url }));
    const database = await createDatabase({ ...options, poolSize: 2 }).open();
    const end = new AbortController();
    let sent: Promise<unknown> | undefined;
    try {
      const notifications = new PostgresNotifications({
        url: sessions.url,
        channel: 'pooled',
        applicationName: 'spec',
      });
      const received = new Promise((resolve) => {
        notifications.listen((payload) => {
          // The first call has no payload: the connection listens.
          if (payload === undefined)
            sent = database.run((manager) => manager.query(`select pg_notify('pooled', 'one')`));
          else resolve(payload);
        }, end.signal);
      });
      expect(await received).toBe('one');
      await sent;
    } finally {
      end.abort();
      await database.close();
    }
  });
});
