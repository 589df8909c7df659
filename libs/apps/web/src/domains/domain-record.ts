import { Component, computed, input } from '@angular/core';
import type { DomainRecord, DomainStatus } from '@homeport/apps/contracts';
import { CopyButton, Icon, StatusBadge, translateServerText } from '@homeport/platform/web';
import { recordPurposeLabel, recordStateLabel } from './domain-labels';

/** A DNS record to create: its fields with copy buttons, its state, and the answer of each name server. */
@Component({
  selector: 'hp-domain-record',
  imports: [CopyButton, Icon, StatusBadge],
  templateUrl: './domain-record.html',
  styleUrls: ['../app/dns-record.css', './domain-record.css'],
})
export class DomainRecordCard {
  readonly record = input.required<DomainRecord>();
  /** Of the domain. */
  readonly status = input.required<DomainStatus>();

  protected readonly purpose = computed(() => recordPurposeLabel(this.record()));
  protected readonly state = computed(() => recordStateLabel(this.record(), this.status()));
  protected readonly hint = computed(() => {
    const { hint } = this.record();
    return hint === null ? undefined : translateServerText(hint);
  });
  protected readonly servers = computed(() => {
    const { seen, value } = this.record();
    return seen.map(({ server, answer }) => ({
      server,
      answer: answer.length === 0 ? undefined : answer.join(', '),
      isRight: answer.includes(value),
    }));
  });
  protected readonly servedBy = computed(() => {
    const right = this.servers().filter(({ isRight }) => isRight).length;
    const all = this.servers().length;
    return all === 1
      ? right === 1
        ? $localize`The name server has the record`
        : $localize`The name server does not have the record`
      : $localize`${right}:count: of ${all}:all: name servers have the record`;
  });
  /** Names the fields for screen readers: a page shows several records. */
  protected readonly copied = computed(() => {
    const { type } = this.record();
    return {
      type: $localize`type of the ${type}:type: record`,
      name: $localize`name of the ${type}:type: record`,
      value: $localize`value of the ${type}:type: record`,
    };
  });
}
