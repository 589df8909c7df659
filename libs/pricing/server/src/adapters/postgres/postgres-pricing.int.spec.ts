import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Audit1764000000100, AuditActors1764900000110, AuditEventEntity } from '@homeport/organizations/server';
import { rate, type UsageCard } from '@homeport/pricing/contracts';
import { type Database, createDatabase, type DatabaseOptions, migrate } from '@homeport/platform/server/database';
import { type FreshDatabase, freshDatabase } from '@homeport/platform/server/testing';
import { parseCatalog } from '../../domain/parse-catalog';
import { PublicationRefused } from '../../domain/pricing.errors';
import { compileRevision } from '../../domain/revision';
import { toUsageCard } from '../../domain/statement';
import { chargeLedgerContract } from '../../testing/charge-ledger.contract';
import { priceRevisionsContract } from '../../testing/price-revisions.contract';
import { firstRevision } from '../../testing/revisions';
import { Corrections1766200000100 } from './migrations/1766200000100-corrections';
import { Pricing1764100000100 } from './migrations/1764100000100-pricing';
import { TrialLines1766000001000 } from './migrations/1766000001000-trial-lines';
import { PostgresChargeLedger } from './postgres-charge-ledger';
import { PostgresPriceRevisions } from './postgres-price-revisions';

let fresh: FreshDatabase;
let database: Database;
let revisions: PostgresPriceRevisions;
let ledger: PostgresChargeLedger;

beforeAll(async () => {
  fresh = await freshDatabase();
  const options: DatabaseOptions = {
    url: fresh.url,
    poolSize: 10,
    entities: [AuditEventEntity],
    migrations: [
      Audit1764000000100,
      Pricing1764100000100,
      AuditActors1764900000110,
      TrialLines1766000001000,
      Corrections1766200000100,
    ],
  };
  await migrate(options);
  database = await createDatabase(options).open();
  revisions = new PostgresPriceRevisions(database);
  ledger = new PostgresChargeLedger(database);
});

afterAll(async () => {
  await database.close();
  await fresh.drop();
});

const query = (text: string, values?: unknown[]) =>
  database.run((manager) => manager.query<Record<string, unknown>[]>(text, values));

describe('the first statement', () => {
  it('is inserted unchanged by the migrations', async () => {
    const { pricesFrom, source, body, sha256 } = firstRevision();
    expect(await revisions.find('2026-10-01')).toMatchObject({ pricesFrom, source, body, sha256 });
  });
});

describe('a publication that takes too long', () => {
  it.each([
    ['would take effect in the past', -1, null],
    ['would change prices without enough notice', 900_000, 599_000],
  ])('is rejected with PublicationRefused when it %s', async (_what, effectiveIn, pricesIn) => {
    const publication = revisions.publish('ada', (_published, now) => {
      const after = (ms: number) => new Date(now.getTime() + ms);
      const edition = { version: '2031-01-01', effectiveAt: after(effectiveIn) };
      return [
        compileRevision(firstRevision().source, { ...edition, pricesFrom: pricesIn === null ? null : after(pricesIn) }),
      ];
    });
    await expect(publication).rejects.toBeInstanceOf(PublicationRefused);
    expect(await revisions.find('2031-01-01')).toBeUndefined();
  });
});

priceRevisionsContract(PostgresPriceRevisions.name, () => revisions);
chargeLedgerContract(PostgresChargeLedger.name, () => ledger);

describe('a charge that PostgreSQL rejects', () => {
  it('is not recorded, and no other charge of the same call', async () => {
    const [card] = parseCatalog(firstRevision().source).cards.map(toUsageCard) as [UsageCard];
    const charge = (id: string, period: string) => ({
      account: { id, createdAt: new Date('2026-10-01T00:00:00Z') },
      ...{ period, revision: '2026-10-01', card: card.version },
      rating: rate({ boxes: { small: 1 } }, card),
      late: { inTrial: {}, afterTrial: {} },
    });
    const charges = [charge('one', '2026-11'), charge('two', '2026-13')];
    await expect(ledger.record(charges)).rejects.toMatchObject({ driverError: { constraint: 'charges_period_check' } });
    expect(await ledger.find('one', '2026-11')).toBeUndefined();
  });
});

describe('the database constraints', () => {
  const copy = (changes: Readonly<Record<string, string>>) => {
    const columns = {
      version: `'2030-01-01'`,
      effective_at: `now() + interval '1 hour'`,
      prices_from: 'null',
      source: 'source',
      body: `convert_to('{"version":"2030-01-01"}', 'UTF8')`,
      sha256: `sha256(convert_to('{"version":"2030-01-01"}', 'UTF8'))`,
      published_at: 'now()',
      published_by: `'ada'`,
      ...changes,
    };
    return query(`insert into pricing.revisions (${Object.keys(columns).join()})
      select ${Object.values(columns).join()} from pricing.revisions where version = '2026-10-01'`);
  };

  it.each([
    `update pricing.revisions set body = 'x'`,
    `update pricing.revisions set published_by = 'eve'`,
    'delete from pricing.revisions',
    'truncate pricing.revisions cascade',
    'update pricing.charges set total_usd = 0',
    'delete from pricing.charges',
    'truncate pricing.charges cascade',
    'update pricing.charge_lines set amount_usd = 0',
    'delete from pricing.charge_lines',
    'truncate pricing.charge_lines',
    'update pricing.corrections set amount_usd = 1',
    'delete from pricing.corrections',
    'truncate pricing.corrections',
  ])('reject: %s', async (statement) => {
    await expect(query(statement)).rejects.toThrow('never changed');
  });

  it.each([
    ['another hash', { sha256: `sha256('other')` }, 'revisions_hash'],
    ['the bytes of another version', { version: `'2030-01-02'` }, 'revisions_own_body'],
    ['a date in the past', { effective_at: `now() - interval '1 second'` }, 'revisions_not_back_dated'],
    [
      'a date in the past and an earlier publication time',
      { effective_at: `now() - interval '1 day'`, published_at: `now() - interval '2 days'` },
      'revisions_not_back_dated',
    ],
    ['prices without notice', { prices_from: `now() + interval '599 seconds'` }, 'revisions_announced'],
    [
      'prices without notice and an earlier publication time',
      { prices_from: `now() + interval '1 minute'`, published_at: `now() - interval '1 day'` },
      'revisions_announced',
    ],
    ['a duplicate version', { version: `'2026-10-01'`, body: 'body', sha256: 'sha256' }, 'revisions_version_key'],
    [
      'a version that is not a date',
      { version: `'next'`, body: `'{"version":"next"}'::bytea`, sha256: `sha256('{"version":"next"}'::bytea)` },
      'revisions_version_check',
    ],
  ])('reject a statement with %s', async (_what, changes, constraint) => {
    await expect(copy(changes)).rejects.toMatchObject({ driverError: { constraint } });
  });

  it('accept a statement with enough notice', async () => {
    await copy({ prices_from: `now() + interval '601 seconds'` });
    expect(await query(`select published_by from pricing.revisions where version = '2030-01-01'`)).toHaveLength(1);
  });

  it('reject a line whose amount is not quantity × price', async () => {
    const [{ id } = {}] = await query('select id from pricing.charges limit 1');
    const insert = (amount: string, isWaived: boolean) =>
      query(
        `insert into pricing.charge_lines values ($1, 99, 'meters.storage', 'Storage', 'gb-month', 3, 0.05, $2, $3)`,
        [id, amount, isWaived],
      );
    for (const [amount, isWaived] of [
      ['0.16', false],
      ['0', false],
      ['0.15', true],
    ] as const) {
      await expect(insert(amount, isWaived)).rejects.toMatchObject({
        driverError: { constraint: 'charge_lines_amount' },
      });
    }
  });

  it('keep an audit event for every publication', async () => {
    const events = await query(`select subject, target from platform.audit_events where action = 'pricing.published'`);
    expect(events.length).toBeGreaterThanOrEqual(2);
    expect(events[0]).toMatchObject({ subject: 'ada' });
  });
});
