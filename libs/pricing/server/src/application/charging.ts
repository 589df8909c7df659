import { cardFor, rateSplit, type SplitUsage } from '@homeport/pricing/contracts';
import { NoUsageCardForAccount } from '../domain/pricing.errors';
import { toUsageCard } from '../domain/statement';
import type { Charge, ChargedAccount, ChargeLedger, ChargeLine, ChargePage, TrialAmount } from './charge-ledger.port';
import type { PriceBook } from './price-book';
import type { PriceRevisions } from './price-revisions.port';

export interface ChargeRequest {
  readonly account: ChargedAccount;
  /** A month: `2026-11`. */
  readonly period: string;
  readonly usage: SplitUsage;
  /** The parts of the usage that were used in earlier months and reported after their charge. Default: none. */
  readonly late?: SplitUsage;
  /** The cents that the trial covered in earlier months. */
  readonly coveredCents: bigint;
}

/** The pricing statement at the time of a charge. */
export interface ChargeRevision {
  readonly version: string;
  readonly effectiveAt: Date;
  /** Hexadecimal. */
  readonly sha256: string;
}

/** The origin of a charge. */
export interface ExplainedCharge {
  readonly charge: Charge;
  readonly revision: ChargeRevision;
  /** The calculation of each line in one sentence. */
  readonly sentences: readonly string[];
}

const NOTHING_LATE: SplitUsage = { inTrial: {}, afterTrial: {} };

/** Charges accounts by the published prices. */
export class Charging {
  constructor(
    private readonly prices: PriceBook,
    private readonly revisions: PriceRevisions,
    private readonly ledger: ChargeLedger,
  ) {}

  /**
   * Charges months of accounts by the usage card of each account, all or none. A month that is charged stays as it is.
   * @throws {CatalogUnavailable}
   * @throws {NoUsageCardForAccount} for accounts with a legacy plan, which are charged elsewhere.
   * @throws {RangeError} when a usage is not valid for its card.
   */
  async charge(requests: readonly ChargeRequest[]): Promise<void> {
    const { version, catalog } = await this.prices.current();
    const charges = requests.map(({ account, period, usage, late = NOTHING_LATE, coveredCents }) => {
      const card = cardFor(account.createdAt, catalog.cards);
      if (!card) throw new NoUsageCardForAccount(account.id);
      const rating = rateSplit(usage, toUsageCard(card), { coveredCents });
      return { account, period, revision: version, card: card.version, rating, late };
    });
    await this.ledger.record(charges);
  }

  /** What the trials of accounts covered, for each charged month. */
  trialAmounts(accountIds: readonly string[]): Promise<readonly TrialAmount[]> {
    return this.ledger.trialAmounts(accountIds);
  }

  /** The charges of an account with their statements, newest period first. */
  async list(accountId: string): Promise<readonly ExplainedCharge[]> {
    return this.#explained(await this.ledger.list(accountId));
  }

  /** The charges of a month, sorted by account. */
  async page(page: ChargePage): Promise<readonly ExplainedCharge[]> {
    return this.#explained(await this.ledger.page(page));
  }

  /** @returns undefined when the month is not charged. */
  async find(accountId: string, period: string): Promise<ExplainedCharge | undefined> {
    const charge = await this.ledger.find(accountId, period);
    return charge && explained(charge, await this.#revisionOf(charge.revision));
  }

  async #explained(charges: readonly Charge[]): Promise<readonly ExplainedCharge[]> {
    const revisions = new Map<string, ChargeRevision>();
    for (const { revision } of charges) {
      if (!revisions.has(revision)) revisions.set(revision, await this.#revisionOf(revision));
    }
    return charges.map((charge) => explained(charge, revisions.get(charge.revision) as ChargeRevision));
  }

  async #revisionOf(charged: string): Promise<ChargeRevision> {
    const revision = await this.revisions.find(charged);
    // A foreign key keeps the revision of every charge.
    if (!revision) throw new Error(`The pricing statement ${charged} is missing`);
    const { version, effectiveAt, sha256 } = revision;
    return { version, effectiveAt, sha256: sha256.toString('hex') };
  }
}

function explained(charge: Charge, revision: ChargeRevision): ExplainedCharge {
  return { charge, revision, sentences: charge.lines.map((line) => sentenceOf(line, charge)) };
}

function sentenceOf(
  { label, quantity, unit, unitUsd, amountUsd, isWaived, isInTrial, lateQuantity }: ChargeLine,
  { card, revision, period }: Charge,
): string {
  const sum = `${label}${isInTrial ? ' in the trial' : ''}: ${quantity} × ${unitUsd} USD a ${unit}`;
  const result = isWaived ? 'waived' : `${amountUsd} USD, rounded half-even to the cent`;
  const late =
    lateQuantity === '0' ? '' : ` ${lateQuantity} of the quantity was used before ${period} and reported late.`;
  return `${sum} = ${result}, by price list ${revision} (usage card ${card}).${late}`;
}
