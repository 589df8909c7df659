import { setTimeout } from 'node:timers/promises';
import { MemoryBudget, S3ObjectStore } from '@homeport/files/server';
import { PostgresAccountRepository } from '@homeport/organizations/server';
import { s3OptionsOf } from '@homeport/platform/server/config';
import { createDatabase, type Database } from '@homeport/platform/server/database';
import {
  Charging,
  CorrectCharge,
  CorrectionRefused,
  correctedUsd,
  PostgresChargeLedger,
  PostgresPriceRevisions,
  PriceBook,
} from '@homeport/pricing/server';
import {
  type Finding,
  MonthNotCharged,
  PostgresMonthClosings,
  PostgresStorageLedger,
  PostgresUsageAudit,
  PostgresUsageStore,
  TextInvoicingSystem,
  UsageOperations,
} from '@homeport/usage/server';
import type { Config } from '../config';
import { databaseOptions } from '../database-options';
import { PricingChargeBook } from '../usage/pricing-charge-book';
import { PublishedPriceList } from '../usage/published-price-list';
import { storageMeasurement } from '../usage/storage-measurement';
import { usageSpoolOf } from '../usage/usage-spool';
import type { ChargeCommand } from './charge-command';

const POOL_SIZE = 2;
/** Lists need no memory of the budget for uploads. */
const UPLOAD_MEMORY_BYTES = 0;
/** Changes of workspaces are noted each second, so a difference that remains after this time is no change in progress. */
const NOTED_MS = 3_000;

export interface CommandContext {
  readonly config: Config;
  readonly write: (text: string) => Promise<void>;
}

type Command<Name> = Extract<ChargeCommand, { readonly name: Name }>;

/**
 * @returns false for faults and refused commands, after their description was printed.
 * @throws {Error} when a dependency is unavailable.
 */
export async function runChargeCommand(command: ChargeCommand, context: CommandContext): Promise<boolean> {
  const database = await createDatabase({ ...databaseOptions(context.config), poolSize: POOL_SIZE }).open();
  try {
    if (command.name === 'export') return await exportLines(command, database, context);
    if (command.name === 'check') return await check(command, database, context);
    return await correct(command, database, context);
  } catch (error) {
    if (!(error instanceof MonthNotCharged || error instanceof CorrectionRefused)) throw error;
    process.stderr.write(`${error.message}\n`);
    return false;
  } finally {
    await database.close();
  }
}

async function exportLines(
  { period, format }: Command<'export'>,
  database: Database,
  { config, write }: CommandContext,
): Promise<boolean> {
  await operations(config, database).exportInvoiceLines(period, new TextInvoicingSystem(format, write));
  return true;
}

async function check(
  { period, skipsStorage }: Command<'check'>,
  database: Database,
  { config, write }: CommandContext,
): Promise<boolean> {
  let faults = 0;
  const report = async ({ severity, subject, text }: Finding) => {
    if (severity === 'fault') faults += 1;
    await write(`${severity}: ${subject}. ${text}\n`);
  };
  for await (const finding of operations(config, database).reconcileCharges(period)) await report(finding);
  if (!skipsStorage) for (const finding of await storageDrift(config, database)) await report(finding);
  await write(faults === 0 ? 'Nothing is wrong.\n' : `${faults} fault${faults === 1 ? '' : 's'}.\n`);
  return faults === 0;
}

async function storageDrift(config: Config, database: Database): Promise<readonly Finding[]> {
  const ledger = new PostgresStorageLedger(database);
  const objectStore = new S3ObjectStore(s3OptionsOf(config), new MemoryBudget(UPLOAD_MEMORY_BYTES));
  const measurement = storageMeasurement(ledger, { database, objectStore, log: { warn: () => undefined } });
  const candidates = await measurement.findDrift();
  if (candidates.length === 0) return [];
  await setTimeout(NOTED_MS);
  const names = new Set(candidates.map(({ workspace }) => workspace));
  const drifts = (await measurement.findDrift()).filter(({ workspace }) => names.has(workspace));
  return drifts.map(({ workspace, recorded, found }) => ({
    severity: 'fault',
    subject: `workspace ${workspace}`,
    text: `${recorded} bytes are recorded, and the storage has ${found}. The inventory corrects it at night.`,
  }));
}

async function correct(
  { period, organization, amount, reference, reason, by, item }: Command<'correct'>,
  database: Database,
  { write }: CommandContext,
): Promise<boolean> {
  const corrected = await new CorrectCharge(new PostgresChargeLedger(database)).execute({
    accountId: organization,
    period: period.name,
    amountUsd: amount,
    correctedBy: by,
    ...{ reference, reason, item },
  });
  const sums = `${corrected.totalUsd} USD was charged, and ${correctedUsd(corrected)} USD with all corrections.`;
  await write(`The charge of ${organization} for ${period.name} has the correction ${reference}: ${sums}\n`);
  return true;
}

function operations(config: Config, database: Database): UsageOperations {
  const priceRevisions = new PostgresPriceRevisions(database);
  const priceBook = new PriceBook(priceRevisions);
  const charging = new Charging(priceBook, priceRevisions, new PostgresChargeLedger(database));
  return new UsageOperations({
    store: new PostgresUsageStore(database),
    closings: new PostgresMonthClosings(database),
    accounts: new PostgresAccountRepository(database),
    prices: new PublishedPriceList(priceBook),
    charges: new PricingChargeBook(charging),
    audit: new PostgresUsageAudit(database),
    spool: usageSpoolOf(config),
  });
}
