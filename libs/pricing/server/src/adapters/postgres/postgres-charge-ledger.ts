import type { Database } from '@homeport/platform/server/database';
import type { EntityManager } from 'typeorm';
import {
  type Charge,
  ChargeLedger,
  type ChargeLine,
  chargeOf,
  type ChargePage,
  type Correction,
  type NewCharge,
  type NewCorrection,
  type TrialAmount,
} from '../../application/charge-ledger.port';

interface ChargeRow {
  readonly id: string;
  readonly account: string;
  readonly period: string;
  readonly revision: string;
  readonly card: string;
  readonly included_usd: string;
  readonly trial_covered_usd: string;
  readonly total_usd: string;
  readonly charged_at: Date;
}

interface LineRow {
  readonly item: string;
  readonly label: string;
  readonly unit: string;
  readonly quantity: string;
  readonly unit_usd: string;
  readonly amount_usd: string;
  readonly is_waived: boolean;
  readonly in_trial: boolean;
  readonly late_quantity: string;
}

interface CorrectionRow {
  readonly reference: string;
  readonly item: string | null;
  readonly amount_usd: string;
  readonly reason: string;
  readonly corrected_by: string;
  readonly corrected_at: Date;
}

/** Stores charges in PostgreSQL, where triggers reject changes. */
export class PostgresChargeLedger extends ChargeLedger {
  constructor(private readonly database: Database) {
    super();
  }

  async record(charges: readonly NewCharge[]): Promise<void> {
    if (charges.length === 0) return;
    // One statement is atomic. The order prevents deadlocks between instances that charge the same accounts.
    await this.database.run((manager) =>
      manager.query(
        `with given as (
           select * from jsonb_to_recordset($1::jsonb) as charges (
             account text, account_created_at timestamptz, period text, revision text, card text, included_usd numeric,
             trial_covered_usd numeric, total_usd numeric, lines jsonb
           )
         ), created as (
           insert into pricing.charges
             (account, account_created_at, period, revision, card, included_usd, trial_covered_usd, total_usd)
           select account, account_created_at, period, revision, card, included_usd, trial_covered_usd, total_usd
           from given order by account, period
           on conflict (account, period) do nothing returning id, account, period
         )
         insert into pricing.charge_lines
           (charge, line, item, label, unit, quantity, unit_usd, amount_usd, is_waived, in_trial, late_quantity)
         select created.id, line, item, label, unit, quantity, unit_usd, amount_usd, is_waived, in_trial, late_quantity
         from created join given using (account, period), jsonb_to_recordset(given.lines) as lines (
           line int, item text, label text, unit text, quantity numeric, unit_usd numeric, amount_usd numeric,
           is_waived bool, in_trial bool, late_quantity numeric
         )`,
        [JSON.stringify(charges.map(chargeRecord))],
      ),
    );
  }

  async find(accountId: string, period: string): Promise<Charge | undefined> {
    return this.database.run((manager) => findCharge(manager, accountId, period));
  }

  async list(accountId: string): Promise<readonly Charge[]> {
    return this.database.run((manager) => listCharges(manager, accountId));
  }

  async trialAmounts(accountIds: readonly string[]): Promise<readonly TrialAmount[]> {
    return this.database.run((manager) =>
      manager.query<TrialAmount[]>(
        `select account as "accountId", period, trial_covered_usd as "trialCoveredUsd"
         from pricing.charges where account = any($1)`,
        [accountIds],
      ),
    );
  }

  async page({ period, after, through, limit }: ChargePage): Promise<readonly Charge[]> {
    return this.database.run(async (manager) => {
      const rows = await manager.query<ChargeRow[]>(
        `select * from pricing.charges where period = $1 and account > $2 and ($3::text is null or account <= $3)
         order by account limit $4`,
        [period, after, through ?? null, limit],
      );
      return withParts(manager, rows);
    });
  }

  async correct(
    accountId: string,
    period: string,
    plan: (charge: Charge) => NewCorrection | undefined,
  ): Promise<Charge | undefined> {
    return this.database.transaction(async (manager) => {
      // Corrections of a charge wait for each other, so that each plan sees the earlier ones.
      await manager.query('select from pricing.charges where account = $1 and period = $2 for update', [
        accountId,
        period,
      ]);
      const charge = await findCharge(manager, accountId, period);
      const correction = charge && plan(charge);
      if (!charge || !correction) return charge;
      await insertCorrection(manager, charge.id, correction);
      return findCharge(manager, accountId, period);
    });
  }
}

function chargeRecord(charge: NewCharge) {
  const { accountId, period, revision, card, lines, ...amounts } = chargeOf(charge);
  return {
    account: accountId,
    account_created_at: charge.account.createdAt.toISOString(),
    ...{ period, revision, card },
    included_usd: amounts.includedUsd,
    trial_covered_usd: amounts.trialCoveredUsd,
    total_usd: amounts.totalUsd,
    lines: lines.map(lineRecord),
  };
}

function lineRecord({ unitUsd, amountUsd, isWaived, isInTrial, lateQuantity, ...line }: ChargeLine, n: number) {
  return {
    line: n,
    ...line,
    unit_usd: unitUsd,
    amount_usd: amountUsd,
    is_waived: isWaived,
    in_trial: isInTrial,
    late_quantity: lateQuantity,
  };
}

async function insertCorrection(manager: EntityManager, charge: string, correction: NewCorrection): Promise<void> {
  const { reference, item, amountUsd, reason, correctedBy } = correction;
  await manager.query(
    `insert into pricing.corrections (charge, reference, item, amount_usd, reason, corrected_by)
     values ($1, $2, $3, $4, $5, $6)`,
    [charge, reference, item ?? null, amountUsd, reason, correctedBy],
  );
}

async function findCharge(manager: EntityManager, account: string, period: string): Promise<Charge | undefined> {
  const [row] = await manager.query<ChargeRow[]>('select * from pricing.charges where account = $1 and period = $2', [
    account,
    period,
  ]);
  const [charge] = row ? await withParts(manager, [row]) : [];
  return charge;
}

async function listCharges(manager: EntityManager, account: string): Promise<readonly Charge[]> {
  const rows = await manager.query<ChargeRow[]>(
    'select * from pricing.charges where account = $1 order by period desc',
    [account],
  );
  return withParts(manager, rows);
}

async function withParts(manager: EntityManager, rows: readonly ChargeRow[]): Promise<Charge[]> {
  const ids = rows.map(({ id }) => id);
  const lines = await manager.query<(LineRow & { readonly charge: string })[]>(
    'select * from pricing.charge_lines where charge = any($1) order by charge, line',
    [ids],
  );
  const corrections = await manager.query<(CorrectionRow & { readonly charge: string })[]>(
    'select * from pricing.corrections where charge = any($1) order by id',
    [ids],
  );
  const linesByCharge = Map.groupBy(lines, ({ charge }) => charge);
  const correctionsByCharge = Map.groupBy(corrections, ({ charge }) => charge);
  return rows.map((row) => ({
    ...toCharge(row, linesByCharge.get(row.id) ?? []),
    corrections: (correctionsByCharge.get(row.id) ?? []).map(toCorrection),
  }));
}

function toCorrection({ reference, item, reason, ...row }: CorrectionRow): Correction {
  return {
    reference,
    item: item ?? undefined,
    amountUsd: row.amount_usd,
    reason,
    correctedBy: row.corrected_by,
    correctedAt: row.corrected_at,
  };
}

function toCharge(row: ChargeRow, lines: readonly LineRow[]): Omit<Charge, 'corrections'> {
  return {
    id: row.id,
    accountId: row.account,
    period: row.period,
    revision: row.revision,
    card: row.card,
    lines: lines.map(toChargeLine),
    includedUsd: row.included_usd,
    trialCoveredUsd: row.trial_covered_usd,
    totalUsd: row.total_usd,
    chargedAt: row.charged_at,
  };
}

function toChargeLine({ item, label, unit, quantity, ...row }: LineRow): ChargeLine {
  return {
    ...{ item, label, unit, quantity },
    unitUsd: row.unit_usd,
    amountUsd: row.amount_usd,
    isWaived: row.is_waived,
    isInTrial: row.in_trial,
    lateQuantity: row.late_quantity,
  };
}
