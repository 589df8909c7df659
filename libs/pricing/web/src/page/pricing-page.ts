import { Component, inject } from '@angular/core';
import { ErrorPanel, PageHeader, screenData, Skeleton, StaleNotice } from '@homeport/platform/web';
import { PricingClient } from '../pricing-client';
import { CurrentPrices } from './current-prices';
import { LegacyPrices } from './legacy-prices';

/** The pricing statement, as it is charged: nothing on this page is written by hand. */
@Component({
  selector: 'hp-pricing-page',
  imports: [CurrentPrices, ErrorPanel, LegacyPrices, PageHeader, Skeleton, StaleNotice],
  template: `
    <hp-page-header heading="Pricing" note="What is shown here is what is charged." />
    @if (statement.value(); as current) {
      @if (statement.problem(); as problem) {
        <hp-stale-notice [problem]="problem" [busy]="statement.busy()" (retry)="statement.reload()" />
      }
      <hp-current-prices [statement]="current" />
      <hp-legacy-prices [statement]="current" />
    } @else if (statement.problem(); as problem) {
      <hp-error-panel
        title="The prices could not be loaded"
        [problem]="problem"
        [busy]="statement.busy()"
        (retry)="statement.reload()"
      />
    } @else {
      <hp-skeleton [rows]="10" />
    }
  `,
})
export class PricingPage {
  readonly #client = inject(PricingClient);
  protected readonly statement = screenData({
    key: () => 'statement',
    load: (_key, signal) => this.#client.statement(signal),
  });
}
