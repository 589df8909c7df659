import { formatDecimal, parseDecimal, PRICE_PLACES, QUANTITY_PLACES } from '@homeport/pricing/contracts';
import { BillingPeriod, type ChargeCorrection, type ChargedLine, type ChargedMonth } from '@homeport/usage/contracts';
import { csv, type Row } from '../../../shared/csv/csv';

const COLUMNS = [
  ...['period', 'item', 'label', 'unit', 'quantity', 'unit_usd', 'amount_usd', 'waived', 'in_trial', 'sentence'],
  ...['statement_version', 'statement_sha256'],
] as const;

/**
 * One row for each line, and one each for the included amount, the trial and the total. A corrected charge continues
 * with a row for each correction and the corrected total. Every row names the statement that priced it.
 */
export function chargeCsv(charge: ChargedMonth): string {
  const { version, sha256 } = charge.statement;
  return csv([COLUMNS, ...rowsOf(charge).map((row): Row => [...row, version, sha256])]);
}

/** Without the statement. */
function rowsOf(charge: ChargedMonth): readonly Row[] {
  const { period, lines, corrections } = charge;
  const lineRows = lines.map((line): Row => [
    ...[period, line.item, line.label, line.unit, line.quantity, line.unit_usd, line.amount_usd],
    ...[line.waived, line.in_trial, line.sentence],
  ]);
  const sum = (item: string, label: string, amount: string): Row => [
    ...[period, item, label, '', '', '', amount, '', '', ''],
  ];
  return [
    ...lineRows,
    sum('included', 'Included usage', negative(charge.included_usd)),
    sum('trial', 'Covered by the trial', negative(charge.trial_covered_usd)),
    sum('total', 'Total', charge.total_usd),
    ...corrections.map((correction) => correctionRow(period, correction)),
    ...(corrections.length > 0 ? [sum('corrected-total', 'Corrected total', charge.corrected_total_usd)] : []),
  ];
}

function correctionRow(period: string, { item, reference, amount_usd, sentence }: ChargeCorrection): Row {
  return [period, item ?? 'correction', `Correction ${reference}`, '', '', '', amount_usd, '', '', sentence];
}

/** The columns of FOCUS 1.2 that have a value in Homeport. FOCUS: names of other columns begin with `x_`. */
const FOCUS_COLUMNS = [
  ...['BilledCost', 'BillingAccountId', 'BillingAccountName', 'BillingCurrency', 'BillingPeriodEnd'],
  ...['BillingPeriodStart', 'ChargeCategory', 'ChargeClass', 'ChargeDescription', 'ChargeFrequency'],
  ...['ChargePeriodEnd', 'ChargePeriodStart', 'ConsumedQuantity', 'ConsumedUnit', 'ContractedCost'],
  ...['ContractedUnitPrice', 'EffectiveCost', 'InvoiceIssuerName', 'ListCost', 'ListUnitPrice', 'PricingCategory'],
  ...['PricingQuantity', 'PricingUnit', 'ProviderName', 'PublisherName', 'ServiceCategory', 'ServiceName', 'SkuId'],
  ...['SkuPriceId', 'x_StatementVersion', 'x_StatementSha256'],
] as const;
type FocusColumn = (typeof FOCUS_COLUMNS)[number];

/** Usage lines, credits for the included amount and the trial, and corrections. Billed costs add up to the corrected total. */
export function focusCsv(charge: ChargedMonth, organization: string): string {
  const common = commonColumns(charge, organization);
  const rows = [
    ...charge.lines.map((line) => ({ ...common, ...usageColumns(line, charge.card) })),
    ...creditRows(charge).map((credit) => ({ ...common, ...credit })),
    ...charge.corrections.map((correction) => ({ ...common, ...correctionColumns(correction, charge) })),
  ];
  return csv([FOCUS_COLUMNS, ...rows.map((row) => FOCUS_COLUMNS.map((column) => row[column] ?? ''))]);
}

type FocusRow = Partial<Record<FocusColumn, string>>;

function commonColumns({ period, statement }: ChargedMonth, organization: string): FocusRow {
  // The periods of charges are checked by a constraint.
  const { start, end } = BillingPeriod.parse(period) as BillingPeriod;
  const [from, to] = [focusTime(start), focusTime(end)];
  return {
    BillingAccountId: organization,
    BillingAccountName: organization,
    BillingCurrency: 'USD',
    BillingPeriodStart: from,
    BillingPeriodEnd: to,
    ChargePeriodStart: from,
    ChargePeriodEnd: to,
    InvoiceIssuerName: 'Homeport',
    ProviderName: 'Homeport',
    PublisherName: 'Homeport',
    x_StatementVersion: statement.version,
    x_StatementSha256: statement.sha256,
  };
}

/** FOCUS: no fractions of a second. */
function focusTime(time: Date): string {
  return time.toISOString().replace('.000Z', 'Z');
}

function usageColumns(line: ChargedLine, card: string): FocusRow {
  const billed = line.amount_usd;
  // FOCUS: the exact product of price and quantity. The billed cost is rounded, and 0 for an item that the trial waives.
  const priced = product(line.quantity, line.unit_usd);
  return {
    BilledCost: billed,
    ContractedCost: priced,
    EffectiveCost: billed,
    ListCost: priced,
    ChargeCategory: 'Usage',
    ChargeDescription: line.sentence,
    ChargeFrequency: 'Usage-Based',
    ConsumedQuantity: line.quantity,
    ConsumedUnit: line.unit,
    PricingQuantity: line.quantity,
    PricingUnit: line.unit,
    PricingCategory: 'Standard',
    ContractedUnitPrice: line.unit_usd,
    ListUnitPrice: line.unit_usd,
    ServiceCategory: line.item === 'storage' ? 'Storage' : 'Other',
    ServiceName: line.label,
    SkuId: line.item,
    SkuPriceId: `${card}/${line.item}`,
  };
}

function creditRows({ included_usd, trial_covered_usd }: ChargedMonth): FocusRow[] {
  const credit = (description: string, amount: string): FocusRow => ({
    ...sameCosts(negative(amount)),
    ChargeCategory: 'Credit',
    ChargeDescription: description,
    ChargeFrequency: 'Recurring',
    ServiceCategory: 'Other',
    ServiceName: description,
  });
  return [credit('Included usage', included_usd), credit('Covered by the trial', trial_covered_usd)];
}

function correctionColumns({ item, amount_usd, sentence }: ChargeCorrection, { lines, card }: ChargedMonth): FocusRow {
  const line = lines.find((each) => each.item === item);
  return {
    ...sameCosts(amount_usd),
    // FOCUS: an adjustment belongs to no resource or SKU.
    ChargeCategory: line ? 'Usage' : 'Adjustment',
    ChargeClass: 'Correction',
    ChargeDescription: sentence,
    ChargeFrequency: 'One-Time',
    ServiceCategory: line?.item === 'storage' ? 'Storage' : 'Other',
    ServiceName: line?.label ?? 'Correction',
    ...(line && { SkuId: line.item, SkuPriceId: `${card}/${line.item}` }),
  };
}

/** FOCUS: without a unit price, all costs are the billed one. */
function sameCosts(billed: string): FocusRow {
  return { BilledCost: billed, ContractedCost: billed, EffectiveCost: billed, ListCost: billed };
}

function product(quantity: string, unitUsd: string): string {
  const exact = parseDecimal(quantity, QUANTITY_PLACES) * parseDecimal(unitUsd, PRICE_PLACES);
  return formatDecimal(exact, QUANTITY_PLACES + PRICE_PLACES);
}

function negative(amount: string): string {
  return amount === '0' ? '0' : `-${amount}`;
}
