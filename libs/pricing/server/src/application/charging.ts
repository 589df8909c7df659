import { cardFor, rate, type Trial, type Usage } from '@homeport/pricing/contracts';
import { NoUsageCardForAccount } from '../domain/pricing.errors';
import { toUsageCard } from '../domain/statement';
import type { Charge, ChargedAccount, ChargeLedger, ChargeLine } from './charge-ledger.port';
import type { PriceBook } from './price-book';
import type { PriceRevisions } from './price-revisions.port';

export interface ChargeRequest {
  readonly account: ChargedAccount;
  /** A month: `2026-11`. */
  readonly period: string;
  readonly usage: Usage;
  /** Absent when the account is not in a trial. */
  readonly trial?: Trial;
}

/** The origin of a line of a charge. */
export interface LineExplanation {
  readonly line: ChargeLine;
  /** The pricing statement at the time of the charge. */
  readonly revision: { readonly version: string; readonly effectiveAt: Date; readonly sha256: string };
  readonly card: string;
  /** The calculation in one sentence. */
  readonly sentence: string;
}

/** Charges accounts by the published prices. */
export class Charging {
  constructor(
    private readonly prices: PriceBook,
    private readonly revisions: PriceRevisions,
    private readonly ledger: ChargeLedger,
  ) {}

  /**
   * Charges a month of an account by the account's usage card. A repeated call returns the first charge.
   * @throws {CatalogUnavailable}
   * @throws {NoUsageCardForAccount} for accounts with a legacy plan, which are charged elsewhere.
   * @throws {RangeError} when the usage is not valid for the card.
   */
  async charge({ account, period, usage, trial }: ChargeRequest): Promise<Charge> {
    const { version, catalog } = await this.prices.current();
    const card = cardFor(account.createdAt, catalog.cards);
    if (!card) throw new NoUsageCardForAccount(account.id);
    const rating = rate(usage, toUsageCard(card), trial);
    return this.ledger.record({ account, period, revision: version, card: card.version, rating });
  }

  /** Explains one line of a charge. @param n zero-based. @returns undefined when the line does not exist. */
  async explain(accountId: string, period: string, n: number): Promise<LineExplanation | undefined> {
    const charge = await this.ledger.find(accountId, period);
    const line = charge?.lines[n];
    const revision = charge && (await this.revisions.find(charge.revision));
    if (!line || !revision) return undefined;
    const { version, effectiveAt, sha256 } = revision;
    return {
      line,
      revision: { version, effectiveAt, sha256: sha256.toString('hex') },
      card: charge.card,
      sentence: sentenceOf(line, charge),
    };
  }
}

function sentenceOf(
  { label, quantity, unit, unitUsd, amountUsd, isWaived }: ChargeLine,
  { card, revision }: Charge,
): string {
  const sum = `${label}: ${quantity} × ${unitUsd} USD a ${unit}`;
  const result = isWaived ? 'waived in the trial' : `${amountUsd} USD, rounded half-even to the cent`;
  return `${sum} = ${result}, by usage card ${card} in pricing statement ${revision}.`;
}
