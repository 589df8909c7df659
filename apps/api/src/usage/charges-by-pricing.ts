import type { Charging, ExplainedCharge } from '@homeport/pricing/server';
import type { ChargedMonth } from '@homeport/usage/contracts';
import { ChargeBook, type MonthToCharge } from '@homeport/usage/server';

/** Charges with the rules and the ledger of the pricing domain. */
export class ChargesByPricing extends ChargeBook {
  constructor(private readonly charging: Charging) {
    super();
  }

  async charge({ account, period, usage, late, coveredCents }: MonthToCharge): Promise<void> {
    const { organization: id, createdAt } = account;
    await this.charging.charge({ account: { id, createdAt }, period, usage, late, coveredCents });
  }

  async list(organization: string): Promise<readonly ChargedMonth[]> {
    return (await this.charging.list(organization)).map(toChargedMonth);
  }

  async find(organization: string, period: string): Promise<ChargedMonth | undefined> {
    const charge = await this.charging.find(organization, period);
    return charge && toChargedMonth(charge);
  }
}

function toChargedMonth({ charge, revision, sentences }: ExplainedCharge): ChargedMonth {
  return {
    period: charge.period,
    total_usd: charge.totalUsd,
    charged_at: charge.chargedAt.toISOString(),
    card: charge.card,
    statement: { version: revision.version, sha256: revision.sha256 },
    lines: charge.lines.map((line, n) => ({
      // Without the group, because ids are unique on a card.
      item: line.item.slice(line.item.indexOf('.') + 1),
      label: line.label,
      unit: line.unit,
      quantity: line.quantity,
      unit_usd: line.unitUsd,
      amount_usd: line.amountUsd,
      waived: line.isWaived,
      in_trial: line.isInTrial,
      sentence: sentences[n] ?? '',
    })),
    included_usd: charge.includedUsd,
    trial_covered_usd: charge.trialCoveredUsd,
  };
}
