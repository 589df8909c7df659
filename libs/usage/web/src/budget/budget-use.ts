import { type Budget, reachedPercentages } from '@homeport/usage/contracts';
import { centsOf } from '../cents';

/** How much of a budget a month has used. */
export interface BudgetUse {
  /** Rounded down; may exceed 100. */
  readonly percent: number;
  /** The highest percentage for notices that is reached. */
  readonly reached: number | undefined;
}

/** @returns undefined without a budget. */
export function budgetUse(budget: Budget, totalUsd: string): BudgetUse | undefined {
  if (budget.monthly_usd === null) return undefined;
  const percent = Number((centsOf(totalUsd) * 100n) / centsOf(budget.monthly_usd));
  return { percent, reached: reachedPercentages(budget, totalUsd).at(-1) };
}

/** Parses an amount that a person typed. @returns undefined when it is not from 0.01 to 999999999.99. */
export function typedAmount(text: string): string | undefined {
  const plain = text.trim().replace(/^\$/, '').replace(',', '.');
  return /^\d{1,9}(\.\d{1,2})?$/.test(plain) && centsOf(plain) > 0n ? plain : undefined;
}

/** Parses percentages that a person typed: "50, 75, 100". @returns undefined when one is not from 1 to 1000. */
export function typedPercentages(text: string): number[] | undefined {
  const parts = text.split(/[\s,;%]+/).filter((part) => part !== '');
  const percentages = [...new Set(parts.map((part) => (/^\d{1,4}$/.test(part) ? Number(part) : 0)))];
  const isValid = percentages.length <= 10 && percentages.every((each) => each >= 1 && each <= 1_000);
  return isValid ? percentages.sort((one, other) => one - other) : undefined;
}
