import { Component, computed, input } from '@angular/core';
import { type PricingStatement, sizeLabel } from '@homeport/pricing/contracts';
import { Icon, translateServerText } from '@homeport/platform/web';
import { formatDate, unitLabel, usd } from './price-messages';

interface LegacyRow {
  readonly label: string;
  readonly note: string;
  readonly priceUsd: number;
  readonly unit: string;
  readonly until: string;
}

/** Shows prices that only older accounts have, collapsed by default. */
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
      {
        id: 'plans',
        title: $localize`Plans`,
        kind: $localize`Plan`,
        rows: plansOf(this.statement()),
        rule: translateServerText(grandfatherRule.statement),
      },
      {
        id: 'old-boxes',
        title: $localize`Older prices of hosted agents`,
        kind: $localize`Size`,
        rows: boxesOf(this.statement()),
        rule: '',
      },
      { id: 'add-ons', title: $localize`Add-ons`, kind: $localize`Add-on`, rows: addOnsOf(this.statement()), rule: '' },
    ];
  });
  protected readonly usd = usd;
  protected readonly unitLabel = unitLabel;
  protected readonly formatDate = formatDate;
}

function plansOf({ plans }: PricingStatement): LegacyRow[] {
  return plans.map(({ label, includes, monthlyUsd: priceUsd, unit, newSignupsUntil: until }) => {
    return {
      label: translateServerText(label),
      note: includes.map(translateServerText).join(', '),
      priceUsd,
      unit,
      until,
    };
  });
}

function boxesOf({ agentRungs }: PricingStatement): LegacyRow[] {
  return agentRungs.map(({ size, instanceType: note, monthlyUsd: priceUsd, newSignupsUntil: until }) => {
    return { label: translateServerText(sizeLabel(size)), note, priceUsd, unit: 'box-month', until };
  });
}

function addOnsOf({ addOns: { outpost, meetingHours } }: PricingStatement): LegacyRow[] {
  return [
    {
      ...outpost,
      label: translateServerText(outpost.label),
      note: '',
      priceUsd: outpost.monthlyUsd,
      until: outpost.newSignupsUntil,
    },
    {
      ...meetingHours,
      label: translateServerText(meetingHours.label),
      note: $localize`${meetingHours.includedPerMonth}:count: included a month`,
      priceUsd: meetingHours.unitUsd,
      until: meetingHours.newSignupsUntil,
    },
  ];
}
