import { Component, computed, input } from '@angular/core';
import { type PricingStatement, sizeLabel } from '@homeport/pricing/contracts';
import { Icon } from '@homeport/platform/web';
import { dayWords, unitWords, usd } from './price-words';

interface LegacyRow {
  readonly label: string;
  readonly note: string;
  readonly priceUsd: number;
  readonly unit: string;
  readonly until: string;
}

/** Prices that only older accounts still have; folded away. */
@Component({
  selector: 'hp-legacy-prices',
  imports: [Icon],
  templateUrl: './legacy-prices.html',
  styleUrls: ['./price-table.css', './legacy-prices.css'],
})
export class LegacyPrices {
  readonly statement = input.required<PricingStatement>();
  protected readonly tables = computed(() => {
    const { grandfatherRule } = this.statement();
    return [
      { id: 'plans', title: 'Plans', kind: 'Plan', rows: plansOf(this.statement()), rule: grandfatherRule.statement },
      { id: 'old-boxes', title: 'Older boxes', kind: 'Size', rows: boxesOf(this.statement()), rule: '' },
      { id: 'add-ons', title: 'Add-ons', kind: 'Add-on', rows: addOnsOf(this.statement()), rule: '' },
    ];
  });
  protected readonly usd = usd;
  protected readonly unitWords = unitWords;
  protected readonly dayWords = dayWords;
}

function plansOf({ plans }: PricingStatement): LegacyRow[] {
  return plans.map(({ label, includes, monthlyUsd: priceUsd, unit, newSignupsUntil: until }) => {
    return { label, note: includes.join(', '), priceUsd, unit, until };
  });
}

function boxesOf({ agentRungs }: PricingStatement): LegacyRow[] {
  return agentRungs.map(({ size, instanceType: note, monthlyUsd: priceUsd, newSignupsUntil: until }) => {
    return { label: sizeLabel(size), note, priceUsd, unit: 'box-month', until };
  });
}

function addOnsOf({ addOns: { outpost, meetingHours } }: PricingStatement): LegacyRow[] {
  return [
    { ...outpost, note: '', priceUsd: outpost.monthlyUsd, until: outpost.newSignupsUntil },
    {
      ...meetingHours,
      note: `${meetingHours.includedPerMonth} included a month`,
      priceUsd: meetingHours.unitUsd,
      until: meetingHours.newSignupsUntil,
    },
  ];
}
