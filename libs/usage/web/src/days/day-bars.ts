import { BillingPeriod, type DailyQuantity } from '@homeport/usage/contracts';

const DAY_MS = 86_400_000;

/** A day of a month in a chart. */
export interface DayBar {
  /** Such as `2026-11-27`. */
  readonly day: string;
  /** A decimal; "0" for a day without usage. */
  readonly quantity: string;
  /** From 0 to 100, of the day with the most usage. */
  readonly percent: number;
}

/** The days of a month until `until`, also those without usage. */
export function dayBars(period: string, days: readonly DailyQuantity[], until: Date): readonly DayBar[] {
  const month = BillingPeriod.parse(period);
  if (!month) return [];
  const quantities = new Map(days.map(({ day, quantity }) => [day, quantity]));
  const most = Math.max(0, ...days.map(({ quantity }) => Number(quantity)));
  const begun = Math.floor((until.getTime() - month.start.getTime()) / DAY_MS) + 1;
  return Array.from({ length: Math.max(1, Math.min(begun, month.hours / 24)) }, (_, at) => {
    const day = new Date(month.start.getTime() + at * DAY_MS).toISOString().slice(0, 10);
    const quantity = quantities.get(day) ?? '0';
    return { day, quantity, percent: most === 0 ? 0 : (Number(quantity) / most) * 100 };
  });
}
