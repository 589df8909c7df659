import { describe, expect, it } from '@jest/globals';
import type { Estimates } from '@homeport/pricing/server/testing';
import { suiteSize } from '@homeport/platform/server/testing';
import type { ChargedMonth, UsageMonth } from '@homeport/usage/contracts';
import fc from 'fast-check';
import { CARDS, estimatesWith } from '../testing/simulated-years/cards';
import {
  type ExpectedCharge,
  expectedCharges,
  type ExpectedLine,
  isLevel,
  scaled,
} from '../testing/simulated-years/expected-charges';
import { type Plan, plans } from '../testing/simulated-years/plan';
import { type History, simulate } from '../testing/simulated-years/simulated-years';

/** Ends a hanging run only: the full size takes minutes. */
const FULL_SUITE_MS = 3_600_000;
const LATE = /([\d.]+) of the quantity was used before/;

/** Three cards, trials, a leap day, late and repeated usage, and closings that instances begin and do not end. */
describe('Three years of usage', () => {
  it(
    'are charged to the cent at the prices of each account, as the page and the estimate state',
    async () => {
      const estimates = new Map(
        await Promise.all(CARDS.map(async (card) => [card.version, await estimatesWith(card)] as const)),
      );
      let [months, estimated] = [0, 0];
      await fc.assert(
        fc.asyncProperty(plans({ accounts: 12, uses: 300 }), async (plan) => {
          const history = await simulate(plan);
          for (const { organization, expected } of expectedOf(plan, history)) {
            const charges = history.charges.get(organization) ?? [];
            expect(charges.map(numbersOfCharge)).toEqual(expected);
            expect(charges.map(({ period }) => pagesOf(history, organization, period))).toEqual(
              expected.map((each) => [each, each]),
            );
            expect(sumsOf(expected)).toEqual(acceptedSums(history, organization));
            months += charges.length;
            estimated += await compareEstimates(charges, estimates);
          }
        }),
        { numRuns: suiteSize(2, 330), endOnFailure: true },
      );
      expect(months).toBeGreaterThanOrEqual(suiteSize(300, 100_000));
      expect(estimated).toBeGreaterThanOrEqual(months / 2);
    },
    FULL_SUITE_MS,
  );
});

function expectedOf({ accounts, closings }: Plan, { accepted }: History) {
  const byOrganization = Map.groupBy(accepted, ({ organization }) => organization);
  const closed = closings.map(({ at }) => at);
  return accounts.map(({ organization, createdAt }) => ({
    organization,
    expected: expectedCharges(createdAt, byOrganization.get(organization) ?? [], closed),
  }));
}

function numbersOfCharge(charge: ChargedMonth): ExpectedCharge {
  const lines = charge.lines.map((line) => ({ ...line, late_quantity: LATE.exec(line.sentence)?.[1] ?? '0' }));
  return numbersOf({ ...charge, lines });
}

/** The pages of a month, before and after its charge. */
function pagesOf({ pages }: History, organization: string, period: string): ExpectedCharge[] {
  return (pages.get(`${organization} ${period}`) ?? []).map((page) => {
    expect(page.projected_total_usd).toBe(page.total_usd);
    return numbersOf({
      ...page,
      card: page.account.card ?? '',
      // The page shows what is measured also when it was not used.
      lines: page.lines.filter(({ quantity }) => quantity !== '0'),
    });
  });
}

function numbersOf(
  month: Pick<UsageMonth, 'period' | 'lines' | 'included_usd' | 'trial_covered_usd' | 'total_usd'> & { card: string },
): ExpectedCharge {
  return {
    period: month.period,
    card: month.card,
    lines: month.lines.map((line): ExpectedLine => ({
      item: line.item,
      quantity: scaled(line.quantity, 6),
      late: scaled(line.late_quantity, 6),
      cents: scaled(line.amount_usd, 2),
      isInTrial: line.in_trial,
      isWaived: line.waived,
    })),
    includedCents: scaled(month.included_usd, 2),
    coveredCents: scaled(month.trial_covered_usd, 2),
    totalCents: scaled(month.total_usd, 2),
  };
}

type Sums = Readonly<Record<string, bigint>>;

/** All charged quantities that are counted, by item. */
function sumsOf(charges: readonly ExpectedCharge[]): Sums {
  return addUp(charges.flatMap(({ lines }) => lines));
}

/** Accepted usage of an account without a card is not charged. */
function acceptedSums({ accepted, charges }: History, organization: string): Sums {
  const isCharged = (charges.get(organization) ?? []).length > 0;
  return addUp(accepted.filter((use) => isCharged && use.organization === organization));
}

function addUp(quantities: readonly { readonly item: string; readonly quantity: bigint }[]): Sums {
  const sums: Record<string, bigint> = {};
  for (const { item, quantity } of quantities) {
    if (!isLevel(item) && quantity > 0n) sums[item] = (sums[item] ?? 0n) + quantity;
  }
  return sums;
}

/** @returns how many months an estimate can state: all in the trial before it covered anything, or all after it. */
async function compareEstimates(
  charges: readonly ChargedMonth[],
  estimates: ReadonlyMap<string, Estimates>,
): Promise<number> {
  let [compared, covered] = [0, 0n];
  for (const charge of charges) {
    const trial = charge.lines.some((line) => line.in_trial);
    const isWhole = charge.lines.every((line) => line.in_trial === trial);
    if (isWhole && !(trial && covered > 0n)) {
      const estimate = await (estimates.get(charge.card) as Estimates).estimate({ usage: usageOf(charge), trial });
      expect([
        ...estimate.lines.map(({ id, amountUsd }) => [id, amountUsd]),
        ...[estimate.includedUsd, estimate.trialCoveredUsd, estimate.totalUsd],
      ]).toEqual([
        ...charge.lines.map(({ item, amount_usd }) => [item, Number(amount_usd)]),
        ...[charge.included_usd, charge.trial_covered_usd, charge.total_usd].map(Number),
      ]);
      compared += 1;
    }
    covered += scaled(charge.trial_covered_usd, 2);
  }
  return compared;
}

function usageOf({ lines, card }: ChargedMonth): Record<string, Record<string, string>> {
  const { boxes } = CARDS.find(({ version }) => version === card) as (typeof CARDS)[number];
  const usage: Record<string, Record<string, string>> = {};
  for (const { item, quantity } of lines) {
    const isBox = boxes.some(({ size }) => size === item);
    const group = isBox ? 'boxes' : item === 'standard' || item === 'premium' ? 'domains' : 'meters';
    (usage[group] ??= {})[item] = quantity;
  }
  return usage;
}
