import { Component, computed, input } from '@angular/core';
import type { SubdomainFault } from '@homeport/apps/contracts';
import { Icon, type IconName } from '@homeport/platform/web';
import { type AddressRule, firstBrokenRule, rulesSummary } from './address-rules';

const signs = (): Readonly<Record<AddressRule['state'], { readonly icon: IconName; readonly word: string }>> => ({
  open: { icon: 'circle', word: $localize`:rule|:Open` },
  met: { icon: 'check-circle', word: $localize`:rule|:Met` },
  broken: { icon: 'alert', word: $localize`:rule|:Not met` },
});

/** The address rules; small screens show only broken rules, or a one-line summary. */
@Component({
  selector: 'hp-rule-list',
  imports: [Icon],
  template: `
    <ul [class.kept]="!hasBroken()" i18n-aria-label aria-label="Rules for the address">
      @for (rule of rules(); track rule.rule) {
        <li [class]="rule.state" [class.told]="rule.rule === told()">
          <hp-icon [name]="signs[rule.state].icon" />
          <b>{{ signs[rule.state].word }}<span class="visually-hidden">: </span></b>
          <span>{{ rule.words }}</span>
        </li>
      }
    </ul>
    @if (!hasBroken()) {
      <p [class]="summary().state"><hp-icon [name]="signs[summary().state].icon" />{{ summary().words }}</p>
    }
  `,
  styleUrl: './rule-list.css',
})
export class RuleList {
  readonly rules = input.required<readonly AddressRule[]>();
  /** The rule that is already shown elsewhere. */
  readonly told = input<SubdomainFault>();
  protected readonly hasBroken = computed(() => firstBrokenRule(this.rules()) !== undefined);
  protected readonly summary = computed(() => rulesSummary(this.rules()));
  protected readonly signs = signs();
}
