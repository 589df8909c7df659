import { Component, input } from '@angular/core';
import { Icon, type IconName } from '@homeport/platform/web';
import type { AddressRule } from './address-rules';

const SIGNS: Readonly<Record<AddressRule['state'], { readonly icon: IconName; readonly word: string }>> = {
  open: { icon: 'circle', word: 'Open' },
  met: { icon: 'check-circle', word: 'Met' },
  broken: { icon: 'alert', word: 'Not met' },
};

/** The rules for an address, one by one. */
@Component({
  selector: 'hp-rule-list',
  imports: [Icon],
  template: `
    <ul aria-label="Rules for the address">
      @for (rule of rules(); track rule.rule) {
        <li [class]="rule.state">
          <hp-icon [name]="signs[rule.state].icon" />
          <b>{{ signs[rule.state].word }}<span class="visually-hidden">: </span></b>
          <span>{{ rule.words }}</span>
        </li>
      }
    </ul>
  `,
  styleUrl: './rule-list.css',
})
export class RuleList {
  readonly rules = input.required<readonly AddressRule[]>();
  protected readonly signs = SIGNS;
}
