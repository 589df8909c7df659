import { type Charging, type Correction, correctedUsd, type ExplainedCharge } from '@homeport/pricing/server';
import type { ChargeCorrection, ChargedMonth } from '@homeport/usage/contracts';
import {
  ChargeBook,
  type ChargePage,
  type MonthToCharge,
  type RecordedCharge,
  type TrialAmount,
} from '@homeport/usage/server';

/** Charges with the rules and the ledger of the pricing domain. */
export class PricingChargeBook extends ChargeBook {
  constructor(private readonly charging: Charging) {
    super();
  }

  async charge(months: readonly MonthToCharge[]): Promise<void> {
    await this.charging.charge(
      months.map(({ account, ...month }) => ({
        account: { id: account.organization, createdAt: account.createdAt },
        ...month,
      })),
    );
  }

  async trialAmounts(organizations: readonly string[]): Promise<readonly TrialAmount[]> {
    const amounts = await this.charging.trialAmounts(organizations);
    return amounts.map(({ accountId, period, trialCoveredUsd }) => ({
      organization: accountId,
      period,
      trialCoveredUsd,
    }));
  }

  async list(organization: string): Promise<readonly ChargedMonth[]> {
    return (await this.charging.list(organization)).map(toChargedMonth);
  }

  async find(organization: string, period: string): Promise<ChargedMonth | undefined> {
    const charge = await this.charging.find(organization, period);
    return charge && toChargedMonth(charge);
  }

  async page({ period, after = '', through, limit }: ChargePage): Promise<readonly RecordedCharge[]> {
    const charges = await this.charging.page({ period, after, through, limit });
    return charges.map((each) => ({
      id: each.charge.id,
      organization: each.charge.accountId,
      month: toChargedMonth(each),
    }));
  }
}

function toChargedMonth({ charge, revision, sentences }: ExplainedCharge): ChargedMonth {
  return {
    period: charge.period,
    total_usd: charge.totalUsd,
    corrected_total_usd: correctedUsd(charge),
    charged_at: charge.chargedAt.toISOString(),
    card: charge.card,
    statement: { version: revision.version, sha256: revision.sha256 },
    lines: charge.lines.map((line, n) => ({
      item: idOf(line.item),
      label: line.label,
      unit: line.unit,
      quantity: line.quantity,
      unit_usd: line.unitUsd,
      amount_usd: line.amountUsd,
      waived: line.isWaived,
      in_trial: line.isInTrial,
      sentence: sentences[n] ?? '',
    })),
    corrections: charge.corrections.map((correction) => toChargeCorrection(correction, charge.period)),
    included_usd: charge.includedUsd,
    trial_covered_usd: charge.trialCoveredUsd,
  };
}

function toChargeCorrection(
  { reference, item, amountUsd, reason, correctedAt }: Correction,
  period: string,
): ChargeCorrection {
  return {
    reference,
    item: item === undefined ? null : idOf(item),
    amount_usd: amountUsd,
    reason,
    corrected_at: correctedAt.toISOString(),
    sentence: `Correction ${reference} of the charge of ${period}: ${amountUsd} USD. ${reason}`,
  };
}

/** Without the group, because ids are unique on a card. */
function idOf(item: string): string {
  return item.slice(item.indexOf('.') + 1);
}
