import { Component, computed, input } from '@angular/core';
import type { PricingStatement } from '@homeport/pricing/contracts';
import { translateServerText } from '@homeport/platform/web';
import { formatDate } from './price-messages';

/** Shows the billing rules of the statement. */
@Component({
  selector: 'hp-billing-terms',
  template: `
    <section aria-labelledby="rules">
      <h2 id="rules" i18n>How billing works</h2>
      <ul>
        @for (rule of rules(); track rule) {
          <li>{{ rule }}</li>
        }
      </ul>
      <p i18n>
        Prices of {{ formatDate(statement().usage.newSignupsFrom) }}, for accounts created from that day on. Amounts are
        in {{ statement().currency }}. Price list {{ statement().version }},
        <a [href]="statement().links.self">as data</a>.
      </p>
    </section>
  `,
  styles: `
    section {
      max-width: 72ch;
      margin-top: var(--space-10);
    }
    h2 {
      margin: 0 0 var(--space-3);
    }
    ul {
      display: grid;
      gap: var(--space-1-5);
      margin: 0 0 var(--space-3);
      padding-left: var(--space-5);
    }
    li::marker {
      color: var(--muted);
    }
    p {
      margin: 0;
      color: var(--muted);
    }
  `,
})
export class BillingTerms {
  readonly statement = input.required<PricingStatement>();
  protected readonly rules = computed(() => {
    const { hostedAgents, includedUsage, trial, cancellation, rounding } = this.statement().billingRules;
    const sentences = [trial, includedUsage, hostedAgents, cancellation].map(({ statement }) =>
      translateServerText(statement),
    );
    const { unit, mode, per } = rounding;
    const [line, coin, halves] = [words(per), unit, words(mode).replace('half', 'halves to')].map(translateServerText);
    return [...sentences, $localize`Each ${line}:line: is rounded to the ${coin}:coin:, ${halves}:halves:.`];
  });
  protected readonly formatDate = formatDate;
}

function words(id: string): string {
  return id.replaceAll('-', ' ');
}
