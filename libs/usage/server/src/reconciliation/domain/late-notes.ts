import type { UsageCard } from '@homeport/pricing/contracts';
import type { BillingPeriod } from '@homeport/usage/contracts';
import type { RecordedUsage } from '../../metering/domain/recorded-usage';
import { monthUsage } from '../../months/domain/month-usage';

/** A sentence for each item of which a part was used earlier and reported after the charge. */
export function lateNotes(recorded: readonly RecordedUsage[], card: UsageCard, period: BillingPeriod): string[] {
  const { inTrial, afterTrial } = monthUsage(recorded, card, period).late;
  return [...Object.values(inTrial), ...Object.values(afterTrial)].flatMap((items) =>
    Object.entries(items).map(
      ([item, quantity]) => `${quantity} of ${item} were used before ${period.name} and reported late.`,
    ),
  );
}
