import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Database } from '@homeport/platform/server/database';
import { acmeAccountContext, certificateContext, SecretBox, variableContext } from '@homeport/platform/server/secrets';
import { type AppsDatabase, openAppsDatabase } from '../../../testing/open-apps-database';
import { PostgresSealedValues } from './postgres-sealed-values';

const keyOf = (id: string, fill: number) => ({ id, key: Buffer.alloc(32, fill) });
const [OLDER, NEWER, LOST] = [keyOf('2025', 1), keyOf('2026', 2), keyOf('lost', 3)];
/** More than one page. */
const VARIABLES = 501;

describe('PostgresSealedValues', () => {
  let opened: AppsDatabase;
  let database: Database;
  const appId = randomUUID();
  const query = <T>(sql: string, values: unknown[] = []) => database.source.query<T>(sql, values);
  const valuesWith = (...keys: ReturnType<typeof keyOf>[]) => new PostgresSealedValues(database, new SecretBox(keys));

  beforeAll(async () => {
    opened = await openAppsDatabase();
    ({ database } = opened);
  });
  afterAll(() => opened.close());
  beforeEach(async () => {
    await query('truncate apps.apps, apps.certificates, apps.certificate_orders, apps.acme_accounts cascade');
    await query(
      `insert into apps.apps (id, organization, name, subdomain, type, created_by) values ($1, 'one', 'rotated', 'rotated', 'ssr', 'ada')`,
      [appId],
    );
  });

  const setVariable = (name: string, box: SecretBox) =>
    query(
      `insert into apps.environment_variables (app_id, name, scope, sealed, updated_by) values ($1, $2, 'preview', $3, 'ada')`,
      [appId, name, box.seal(`value of ${name}`, variableContext(appId, name, 'preview'))],
    );
  const addOthers = async (box: SecretBox) => {
    const [certificate, order, directory] = [randomUUID(), randomUUID(), 'https://acme.example.com/directory'];
    await query(
      `insert into apps.certificates (id, names, chain, sealed_key, not_before, not_after, renew_at, serial)
       values ($1, '{www.example.com}', '', $2, now(), now(), now(), '1')`,
      [certificate, box.seal('key', certificateContext(certificate))],
    );
    await query(
      `insert into apps.certificate_orders (id, names, challenge, sealed_key) values ($1, '{a.example.com}', 'http-01', $2)`,
      [order, box.seal('key', certificateContext(order))],
    );
    await query('insert into apps.acme_accounts (directory, sealed_key) values ($1, $2)', [
      directory,
      box.seal('key', acmeAccountContext(directory)),
    ]);
  };

  it('seals every value again with the newest key, so that the older key can be removed', async () => {
    const older = new SecretBox([OLDER]);
    for (let at = 0; at < VARIABLES; at += 1) await setVariable(`V${at}`, older);
    await setVariable('NEW', new SecretBox([NEWER]));
    await addOthers(older);
    const rotated = valuesWith(NEWER, OLDER);
    expect(await rotated.keyUses()).toEqual([
      { kind: 'variables', keyId: '2025', count: VARIABLES, isReadable: true },
      { kind: 'variables', keyId: '2026', count: 1, isReadable: true },
      { kind: 'keys of certificates', keyId: '2025', count: 1, isReadable: true },
      { kind: 'keys of orders', keyId: '2025', count: 1, isReadable: true },
      { kind: 'keys of ACME accounts', keyId: '2025', count: 1, isReadable: true },
    ]);
    expect(await rotated.sealAgain()).toEqual({ sealed: VARIABLES + 3, unreadable: 0 });
    expect((await valuesWith(NEWER).keyUses()).map(({ keyId, isReadable }) => [keyId, isReadable])).toEqual(
      Array.from({ length: 4 }, () => ['2026', true]),
    );
    const [{ sealed }] = await query<[{ sealed: Buffer }]>(
      `select sealed from apps.environment_variables where name = 'V500'`,
    );
    expect(new SecretBox([NEWER]).open(sealed, variableContext(appId, 'V500', 'preview'))).toBe('value of V500');
    expect(await rotated.sealAgain()).toEqual({ sealed: 0, unreadable: 0 });
  });

  it('leaves values that no key opens, and says so', async () => {
    await setVariable('LOST', new SecretBox([LOST]));
    expect(await valuesWith(NEWER, OLDER).sealAgain()).toEqual({ sealed: 0, unreadable: 1 });
    expect(await valuesWith(NEWER, OLDER).keyUses()).toMatchObject([{ keyId: 'lost', isReadable: false }]);
  });

  it('notices another key with the same id', async () => {
    await setVariable('A', new SecretBox([OLDER]));
    expect(await valuesWith(keyOf('2025', 9)).keyUses()).toMatchObject([{ keyId: '2025', isReadable: false }]);
  });

  it('keeps a value that changes while it is sealed again', async () => {
    await setVariable('A', new SecretBox([OLDER]));
    const changed = new SecretBox([NEWER]).seal('changed', variableContext(appId, 'A', 'preview'));
    const meanwhile = {
      run: async (work: Parameters<Database['run']>[0]) => {
        const result = await database.run(work);
        await query(`update apps.environment_variables set sealed = $1 where name = 'A'`, [changed]);
        return result;
      },
    } as Pick<Database, 'run' | 'transaction'>;
    const values = new PostgresSealedValues(meanwhile, new SecretBox([NEWER, OLDER]));
    expect(await values.sealAgain()).toEqual({ sealed: 0, unreadable: 0 });
    expect(await query('select sealed from apps.environment_variables')).toEqual([{ sealed: changed }]);
  });
});
