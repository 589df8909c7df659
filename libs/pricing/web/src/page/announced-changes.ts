import { Component, computed, input } from '@angular/core';
import type { PricingStatement } from '@homeport/pricing/contracts';
import { Icon } from '@homeport/platform/web';
import { changesBetween } from './card-changes';
import { formatDate } from './price-messages';

/** Shows the changes of each upcoming card compared with its predecessor. */
@Component({
  selector: 'hp-announced-changes',
  imports: [Icon],
  template: `
    <section aria-labelledby="announced">
      <h2 id="announced" i18n>Announced changes</h2>
      @for (step of steps(); track step.from) {
        <div class="card">
          <p class="from">
            <hp-icon name="clock" />
            <span>
              <strong i18n>From {{ formatDate(step.from) }}</strong>
              <span class="muted" i18n>
                for accounts created from that day on; accounts created before keep their prices</span
              >
            </span>
          </p>
          <ul>
            @for (change of step.changes; track $index) {
              <li>
                <strong>{{ change.what }}</strong> {{ change.words }}
              </li>
            } @empty {
              <li i18n>Every price stays as it is.</li>
            }
          </ul>
        </div>
      }
    </section>
  `,
  styles: `
    section {
      display: grid;
      gap: var(--space-3);
      margin-top: var(--space-8);
    }
    .card {
      padding: var(--space-4) var(--space-4);
    }
    .from {
      display: flex;
      gap: var(--space-2);
      margin: 0;
    }
    .from hp-icon,
    .muted {
      color: var(--muted);
    }
    .from hp-icon {
      margin-top: 1px;
    }
    ul {
      color: var(--muted);
      display: grid;
      gap: var(--space-1);
      margin: var(--space-2) 0 0;
      padding: 0 0 0 var(--space-6);
      list-style: none;
    }
    strong {
      color: var(--text);
      font-weight: 600;
    }
  `,
})
export class AnnouncedChanges {
  readonly statement = input.required<PricingStatement>();
  protected readonly steps = computed(() => {
    const { usage, upcoming } = this.statement();
    const next = [...upcoming].sort((one, other) => Date.parse(one.newSignupsFrom) - Date.parse(other.newSignupsFrom));
    return next.map((card, index) => ({
      from: card.newSignupsFrom,
      changes: changesBetween(next[index - 1] ?? usage, card),
    }));
  });
  protected readonly formatDate = formatDate;
}
