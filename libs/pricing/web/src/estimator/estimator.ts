import { Component, computed, inject, input } from '@angular/core';
import { toObservable, toSignal } from '@angular/core/rxjs-interop';
import { RouterLink } from '@angular/router';
import { AuthSession } from '@homeport/identity/web';
import { type CardItem, itemsOf, rate, type UsageCard, usageFaults } from '@homeport/pricing/contracts';
import { CopyButton, Icon } from '@homeport/platform/web';
import { debounceTime, skip } from 'rxjs';
import { dayCountLabel, usdOfCents } from '../page/price-messages';
import { Counter } from './counter';
import { EstimateSummary } from './estimate-summary';
import { FormUrlState } from './form-url-state';
import { MeterField } from './meter-field';
import { quantityErrorMessage, unpricedFields, usageOf } from './usage-form';

/** Pause in typing before screen readers announce the total. */
const ANNOUNCEMENT_DELAY_MS = 700;

/** Estimates a month with the code that charging uses. It sends no request, so it works offline. */
@Component({
  selector: 'hp-estimator',
  imports: [CopyButton, Counter, EstimateSummary, Icon, MeterField, RouterLink],
  providers: [FormUrlState],
  templateUrl: './estimator.html',
  styleUrl: './estimator.css',
})
export class Estimator {
  readonly card = input.required<UsageCard>();
  readonly #urlState = inject(FormUrlState);
  readonly #session = inject(AuthSession);
  protected readonly isSignedIn = computed(() => this.#session.user() !== undefined);
  protected readonly form = this.#urlState.form;

  readonly #items = computed(() => itemsOf(this.card()).filter(({ id }) => !this.card().free.includes(id)));
  protected readonly meters = computed(() => this.#items().filter(({ group }) => group === 'meters'));
  protected readonly counters = computed(() => [
    { title: $localize`Hosted agents`, items: this.#items().filter(({ group }) => group === 'boxes') },
    { title: $localize`Your own domain`, items: this.#items().filter(({ group }) => group === 'domains') },
  ]);

  protected readonly trialDays = computed(() => dayCountLabel(this.card().trial.days));

  readonly #usage = computed(() => usageOf(this.form(), this.card()));
  readonly #faults = computed(
    () => new Map(usageFaults(this.#usage(), this.card()).map((fault) => [fault.field, quantityErrorMessage(fault)])),
  );
  protected readonly unpricedItems = computed(() => unpricedFields(this.form(), this.card()).join(', '));
  protected readonly isEmpty = computed(() => Object.keys(this.form().quantities).length === 0 && !this.form().inTrial);
  /** Undefined while any input is invalid, because a total of the valid inputs would be wrong. */
  protected readonly rating = computed(() => {
    if (this.#faults().size > 0) return undefined;
    return rate(this.#usage(), this.card(), this.form().inTrial ? { coveredCents: 0n } : undefined);
  });

  readonly #announcementText = computed(() => {
    const rating = this.rating();
    if (rating) return $localize`The estimate is ${usdOfCents(rating.totalCents)}:amount: a month.`;
    return $localize`There is no estimate: ${[...this.#faults().values()].join(' ')}:faults:`;
  });
  protected readonly announcement = toSignal(
    toObservable(this.#announcementText).pipe(skip(1), debounceTime(ANNOUNCEMENT_DELAY_MS)),
    {
      initialValue: '',
    },
  );

  protected quantity({ group, id }: CardItem): string {
    return this.form().quantities[`${group}.${id}`] ?? '';
  }

  protected fault({ group, id }: CardItem): string | undefined {
    return this.#faults().get(`${group}.${id}`);
  }

  protected setQuantity({ group, id }: CardItem, text: string): void {
    const field = `${group}.${id}`;
    this.#urlState.change(({ quantities: { [field]: _before, ...others }, inTrial }) => ({
      quantities: text === '' ? others : { ...others, [field]: text },
      inTrial,
    }));
  }

  protected setTrial(inTrial: boolean): void {
    this.#urlState.change(({ quantities }) => ({ quantities, inTrial }));
  }

  protected reset(): void {
    void this.#urlState.reset();
  }

  protected readonly address = computed(() => {
    this.form();
    return this.#urlState.address();
  });
}
