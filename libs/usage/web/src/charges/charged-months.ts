import { Component, inject, input } from '@angular/core';
import { RouterLink } from '@angular/router';
import { AuthSession } from '@homeport/identity/web';
import { ErrorPanel, Icon, screenData, Skeleton, Toasts } from '@homeport/platform/web';
import { saveFile } from '@homeport/platform/web/on-demand';
import type { ChargeSummary } from '@homeport/usage/contracts';
import { type ChargeFormat, statementPath, UsageClient } from '../usage-client';
import { amountLabel, monthLabel } from '../usage-messages';

/** The charged months, with their files. */
@Component({
  selector: 'hp-charged-months',
  imports: [ErrorPanel, Icon, RouterLink, Skeleton],
  template: `
    <h2 id="charges" i18n>Charged months</h2>
    <p class="note" i18n>FOCUS is a CSV format that tools for cloud costs read.</p>
    @if (charges.value(); as list) {
      <ul class="card" aria-labelledby="charges">
        @for (charge of list.items; track charge.period) {
          <li>
            <a class="month" routerLink="/usage" [queryParams]="{ period: charge.period }">{{
              month(charge.period)
            }}</a>
            <span class="amount">
              {{ amount(charge.corrected_total_usd) }}
              @if (correctionNote(charge); as note) {
                <span class="note">{{ note }}</span>
              }
            </span>
            <a class="statement" [href]="statementPath(charge.statement.version)" target="_blank" rel="noopener">
              <span i18n>Price list {{ charge.statement.version }}</span>
            </a>
            <span class="files">
              <button
                type="button"
                class="button quiet small"
                [attr.aria-label]="csvName(charge.period)"
                (click)="save(charge.period, 'csv')"
              >
                <hp-icon name="download" /><span i18n>CSV</span>
              </button>
              <button
                type="button"
                class="button quiet small"
                [attr.aria-label]="focusName(charge.period)"
                (click)="save(charge.period, 'focus')"
              >
                <hp-icon name="download" /><span i18n>FOCUS</span>
              </button>
            </span>
          </li>
        } @empty {
          <li class="muted">
            @if (isMeteringOff()) {
              <span i18n>None. No month is charged while metering is off.</span>
            } @else {
              <span i18n>None yet. A month is charged 24 hours after its end (UTC).</span>
            }
          </li>
        }
      </ul>
    } @else if (charges.problem(); as problem) {
      <hp-error-panel
        i18n-title
        title="The charged months could not be loaded"
        [problem]="problem"
        [busy]="charges.busy()"
        (retry)="charges.reload()"
      />
    } @else {
      <hp-skeleton shape="rows" [rows]="2" />
    }
  `,
  styleUrl: './charged-months.css',
})
export class ChargedMonths {
  readonly #client = inject(UsageClient);
  readonly #session = inject(AuthSession);
  readonly #toasts = inject(Toasts);
  readonly isMeteringOff = input.required<boolean>();
  protected readonly charges = screenData({
    key: () => this.#session.userScope(),
    load: (_scope, signal) => this.#client.charges(signal),
  });
  protected readonly month = monthLabel;
  protected readonly amount = amountLabel;
  protected readonly statementPath = statementPath;

  /** @returns undefined for a charge without corrections, and for corrections that add up to 0. */
  protected correctionNote({ total_usd, corrected_total_usd }: ChargeSummary): string | undefined {
    if (total_usd === corrected_total_usd) return undefined;
    return $localize`after corrections; ${amountLabel(total_usd)}:total: was charged`;
  }

  protected csvName(period: string): string {
    return $localize`Download ${monthLabel(period)}:month: as CSV`;
  }

  protected focusName(period: string): string {
    return $localize`Download ${monthLabel(period)}:month: in FOCUS format (CSV)`;
  }

  protected async save(period: string, format: ChargeFormat): Promise<void> {
    try {
      saveFile(await this.#client.file(period, format), `charge-${period}${format === 'focus' ? '-focus' : ''}.csv`);
    } catch {
      this.#toasts.show($localize`The file could not be downloaded.`);
    }
  }
}
