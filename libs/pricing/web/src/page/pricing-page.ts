import { Component, computed, inject } from '@angular/core';
import { ErrorPanel, PageHeader, retryWhenConnected, screenData, Skeleton, StaleNotice } from '@homeport/platform/web';
import { Estimator } from '../estimator/estimator';
import { PricingClient } from '../pricing-client';
import { AnnouncedChanges } from './announced-changes';
import { BillingTerms } from './billing-terms';
import { CurrentPrices } from './current-prices';
import { LegacyPrices } from './legacy-prices';
import { formatDate, formatDateTime } from './price-messages';

/** Shows the pricing statement. All prices on this page come from it. */
@Component({
  selector: 'hp-pricing-page',
  imports: [
    AnnouncedChanges,
    BillingTerms,
    CurrentPrices,
    ErrorPanel,
    Estimator,
    LegacyPrices,
    PageHeader,
    Skeleton,
    StaleNotice,
  ],
  template: `
    <hp-page-header i18n-heading heading="Pricing" i18n-note note="You are charged exactly these prices." />
    @if (read.value(); as current) {
      @if (problem(); as problem) {
        <hp-stale-notice [problem]="problem" [busy]="read.busy()" (retry)="read.reload()">
          <ng-container i18n
            >These are the prices of {{ formatDate(current.statement.generatedAt) }} (price list
            {{ current.statement.version }}), read {{ formatDateTime(current.readAt) }}. They may have changed
            since.</ng-container
          >
        </hp-stale-notice>
      }
      <hp-current-prices [statement]="current.statement" />
      @if (current.statement.upcoming.length > 0) {
        <hp-announced-changes [statement]="current.statement" />
      }
      <hp-estimator [card]="current.statement.usage" />
      <hp-billing-terms [statement]="current.statement" />
      <hp-legacy-prices [statement]="current.statement" />
    } @else if (problem(); as problem) {
      <hp-error-panel
        i18n-title
        title="The prices could not be loaded"
        [problem]="problem"
        [busy]="read.busy()"
        (retry)="read.reload()"
      />
    } @else {
      <hp-skeleton shape="rows" [rows]="8" />
    }
  `,
})
export class PricingPage {
  readonly #client = inject(PricingClient);
  protected readonly read = screenData({
    key: () => 'statement',
    load: (_key, signal) => this.#client.statement(signal),
  });
  protected readonly problem = computed(() => this.read.problem() ?? this.read.value()?.problem);
  protected readonly formatDate = formatDate;
  protected readonly formatDateTime = formatDateTime;

  constructor() {
    retryWhenConnected({
      isWanted: () => this.read.value()?.problem?.isConnectionFailure === true,
      busy: this.read.busy,
      retry: () => this.read.reload(),
    });
  }
}
