import { registerDecorator } from 'class-validator';

const USD = /^(0|[1-9]\d{0,8})(\.\d{1,2})?$/;
const MAX_NOTICES = 10;
const MAX_PERCENT = 1_000;

/** `GET /api/budget`: the monthly budget of an organization. It never stops usage. */
export interface Budget {
  /** A decimal string; null without a budget. */
  readonly monthly_usd: string | null;
  /** Percentages of the budget at which people are notified, in ascending order. */
  readonly notify_at: readonly number[];
}

/** The body of `PUT /api/budget`. */
export class BudgetRequest {
  /** From 0.01 to 999999999.99 with at most 2 decimals; null removes the budget. */
  @Satisfies(isUsdAmount, 'monthly_usd must be null or from 0.01 to 999999999.99, with at most 2 decimals')
  monthly_usd!: number | string | null;

  /** At most 10 different whole percentages. */
  @Satisfies(arePercentages, `notify_at must have at most ${MAX_NOTICES} different whole percentages from 1 to 1000`)
  notify_at!: number[];
}

function isUsdAmount(value: unknown): boolean {
  if (value === null) return true;
  return (typeof value === 'number' || typeof value === 'string') && USD.test(String(value)) && Number(value) > 0;
}

function arePercentages(value: unknown): boolean {
  if (!Array.isArray(value) || value.length > MAX_NOTICES || new Set(value).size < value.length) return false;
  return value.every((each) => Number.isInteger(each) && each >= 1 && each <= MAX_PERCENT);
}

/** Rejects other values for one reason: several rules would contradict each other. */
function Satisfies(validate: (value: unknown) => boolean, reason: string): PropertyDecorator {
  return (target, property) =>
    registerDecorator({
      name: 'satisfies',
      target: target.constructor,
      propertyName: String(property),
      validator: { validate, defaultMessage: () => reason },
    });
}
