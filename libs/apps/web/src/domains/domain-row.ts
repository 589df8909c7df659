import { Component, computed, input } from '@angular/core';
import { RouterLink } from '@angular/router';
import type { Domain } from '@homeport/apps/contracts';
import { RelativeTime, StatusBadge } from '@homeport/platform/web';
import { domainStatusLabel } from './domain-labels';

/** One domain of a list, which links to its page. The content are its actions. */
@Component({
  selector: 'hp-domain-row',
  imports: [RelativeTime, RouterLink, StatusBadge],
  template: `
    <div class="what">
      <a class="name" [routerLink]="['/apps/domains', domain().id]" [state]="{ name: domain().name }">{{
        domain().name
      }}</a>
      <span class="muted">
        {{ note() }}
        @if (domain().is_primary) {
          · <ng-container i18n>primary</ng-container>
        }
        @if (domain().redirect_to; as target) {
          · <ng-container i18n>redirects to {{ target }}</ng-container>
        }
        @if (domain().certificate_expires_at; as at) {
          · <ng-container i18n>certificate until <hp-relative-time [at]="at" /></ng-container>
        }
      </span>
    </div>
    <hp-status-badge [tone]="status().tone">{{ status().words }}</hp-status-badge>
    <ng-content />
  `,
  styles: `
    :host {
      display: flex;
      flex: 1;
      flex-wrap: wrap;
      align-items: center;
      gap: var(--space-2) var(--space-3);
      min-width: 0;
    }
    .what {
      display: grid;
      flex: 1 1 180px;
      min-width: 0;
    }
    .name {
      justify-self: start;
      font-weight: 500;
      overflow-wrap: anywhere;
    }
    .muted {
      color: var(--muted);
      overflow-wrap: anywhere;
    }
  `,
})
export class DomainRow {
  readonly domain = input.required<Domain>();
  /** What the domain belongs to. */
  readonly note = input.required<string>();
  protected readonly status = computed(() => domainStatusLabel(this.domain().status));
}
