import { Component, computed, ElementRef, inject, input, linkedSignal } from '@angular/core';
import { AuthSession } from '@homeport/identity/web';
import { ErrorPanel, screenData, Skeleton, translateServerText } from '@homeport/platform/web';
import type { UsageMonth } from '@homeport/usage/contracts';
import { UsageClient } from '../usage-client';
import { centsOf } from '../cents';
import { dayLabel, usageQuantityLabel } from '../usage-messages';
import { dayBars } from './day-bars';

interface Item {
  readonly id: string;
  readonly label: string;
  readonly unit: string;
}

/** How far the arrow keys and the others move from a bar. */
const STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  PageUp: -7,
  PageDown: 7,
  Home: -Infinity,
  End: Infinity,
};

/** The usage of an item by day, as a chart and as a table. */
@Component({
  selector: 'hp-daily-chart',
  imports: [ErrorPanel, Skeleton],
  templateUrl: './daily-chart.html',
  styleUrl: './daily-chart.css',
})
export class DailyChart {
  readonly #client = inject(UsageClient);
  readonly #session = inject(AuthSession);
  readonly #host = inject<ElementRef<HTMLElement>>(ElementRef).nativeElement;
  readonly month = input.required<UsageMonth>();

  /** An item can have two lines: in the trial and after it. */
  protected readonly items = computed((): readonly Item[] => {
    const used = this.month().lines.filter(({ quantity }) => quantity !== '0');
    return [
      ...new Map(
        used.map(({ item, label, unit }) => [item, { id: item, label: translateServerText(label), unit }]),
      ).values(),
    ];
  });
  /** First the item that costs most. The chosen one stays when the month changes, if the other month has it too. */
  protected readonly item = linkedSignal<readonly Item[], Item | undefined>({
    source: this.items,
    computation: (items, previous) => items.find(({ id }) => id === previous?.value?.id) ?? this.#costliest(items),
  });
  protected readonly days = screenData({
    key: () => {
      const [scope, item] = [this.#session.userScope(), this.item()];
      return scope === undefined || !item ? undefined : [scope, this.month().period, item.id].join('\n');
    },
    load: (key, signal) => {
      const [, period = '', item = ''] = key.split('\n');
      return this.#client.days(period, item, signal);
    },
  });
  protected readonly bars = computed(() => {
    const { period, as_of } = this.month();
    const unit = this.item()?.unit ?? '';
    return dayBars(period, this.days.value()?.items ?? [], new Date(as_of)).map((bar) => ({
      ...bar,
      day: dayLabel(bar.day),
      number: Number(bar.day.slice(-2)),
      quantity: usageQuantityLabel(bar.quantity, unit),
    }));
  });
  /** The bar that has the focus, or gets it with the Tab key: first the last day. */
  protected readonly current = linkedSignal({ source: this.bars, computation: (bars) => bars.length - 1 });
  protected readonly shown = computed(() => this.bars()[this.current()]);

  #costliest(items: readonly Item[]): Item | undefined {
    const cents = new Map(this.month().lines.map(({ item, amount_usd }) => [item, centsOf(amount_usd)]));
    return items.toSorted((one, other) => ((cents.get(one.id) ?? 0n) < (cents.get(other.id) ?? 0n) ? 1 : -1))[0];
  }

  protected choose(id: string): void {
    this.item.set(this.items().find((each) => each.id === id));
  }

  protected move(event: KeyboardEvent): void {
    const step = STEPS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const to = Math.max(0, Math.min(this.bars().length - 1, this.current() + step));
    this.current.set(to);
    this.#host.querySelectorAll<HTMLElement>('.bar')[to]?.focus();
  }
}
