import { centsToUsd, parseDecimal } from '@homeport/pricing/contracts';
import { CorrectionRefused } from '../domain/pricing.errors';
import type { Charge, ChargeLedger, Correction, NewCorrection } from './charge-ledger.port';

export interface CorrectionRequest extends Omit<NewCorrection, 'amountUsd' | 'item'> {
  readonly accountId: string;
  /** Such as `2026-11`. */
  readonly period: string;
  /** Decimal with at most 2 places; negative in favor of the account. */
  readonly amountUsd: string;
  /** The id of the corrected item, such as `storage`; undefined for the whole charge. */
  readonly item: string | undefined;
}

const AMOUNT = /^(-?)(\d{1,9}(?:\.\d{1,2})?)$/;
const CENT_PLACES = 2;
const MAX_REFERENCE_LENGTH = 100;
const MAX_REASON_LENGTH = 500;

/** Corrects a charge by an entry that adds to it. */
export class CorrectCharge {
  constructor(private readonly ledger: ChargeLedger) {}

  /**
   * A repeated call with the same reference has no effect.
   * @throws {CorrectionRefused} @throws {DatabaseUnavailable}
   */
  async execute(request: CorrectionRequest): Promise<Charge> {
    const { accountId, period } = request;
    const charge = await this.ledger.correct(accountId, period, (current) => plannedCorrection(current, request));
    if (!charge) throw new CorrectionRefused(`${accountId} has no charge for ${period}.`);
    return charge;
  }
}

/** @returns undefined when the correction is recorded already. */
function plannedCorrection(charge: Charge, request: CorrectionRequest): NewCorrection | undefined {
  const cents = centsOf(request.amountUsd);
  const correction: NewCorrection = {
    reference: textOf(request.reference, 'reference', MAX_REFERENCE_LENGTH),
    item: request.item === undefined ? undefined : itemOf(charge, request.item),
    amountUsd: signedUsd(cents),
    reason: textOf(request.reason, 'reason', MAX_REASON_LENGTH),
    correctedBy: textOf(request.correctedBy, 'author', MAX_REFERENCE_LENGTH),
  };
  const recorded = charge.corrections.find(({ reference }) => reference === correction.reference);
  if (recorded && !isSame(recorded, correction)) {
    throw new CorrectionRefused(`The reference ${correction.reference} belongs to another correction of this charge.`);
  }
  if (recorded) return undefined;
  if (correctedCents(charge) + cents < 0n) {
    throw new CorrectionRefused(`The charge is ${correctedUsd(charge)} USD, and a correction cannot make it negative.`);
  }
  return correction;
}

/** The total of a charge with its corrections. */
export function correctedUsd(charge: Pick<Charge, 'totalUsd' | 'corrections'>): string {
  return signedUsd(correctedCents(charge));
}

function correctedCents({ totalUsd, corrections }: Pick<Charge, 'totalUsd' | 'corrections'>): bigint {
  return corrections.reduce((sum, { amountUsd }) => sum + centsOf(amountUsd), parseDecimal(totalUsd, CENT_PLACES));
}

/** @throws {CorrectionRefused} */
function centsOf(amountUsd: string): bigint {
  const [, sign, amount = ''] = AMOUNT.exec(amountUsd) ?? [];
  const cents = sign === undefined ? 0n : parseDecimal(amount, CENT_PLACES);
  if (cents === 0n) throw new CorrectionRefused('The amount is not a decimal other than 0 with at most 2 places.');
  return sign === '-' ? -cents : cents;
}

function signedUsd(cents: bigint): string {
  return cents < 0n ? `-${centsToUsd(-cents)}` : centsToUsd(cents);
}

function itemOf({ lines }: Charge, id: string): string {
  const line = lines.find(({ item }) => item.slice(item.indexOf('.') + 1) === id);
  if (!line) throw new CorrectionRefused(`The charge has no line for ${id}.`);
  return line.item;
}

function textOf(text: string, name: string, maxLength: number): string {
  const trimmed = text.trim();
  if (trimmed !== '' && trimmed.length <= maxLength) return trimmed;
  throw new CorrectionRefused(`The ${name} does not have 1 to ${maxLength} characters.`);
}

function isSame(one: Correction, other: NewCorrection): boolean {
  return one.item === other.item && one.amountUsd === other.amountUsd && one.reason === other.reason;
}
