import { NgComponentOutlet } from '@angular/common';
import { Component, input, resource } from '@angular/core';
import { ErrorPanel, asHttpProblem, type SettingsCard, Skeleton } from '@homeport/platform/web';

/** Shows a settings card of another domain; reserves its space while it loads. */
@Component({
  selector: 'hp-card-outlet',
  imports: [ErrorPanel, NgComponentOutlet, Skeleton],
  template: `
    @if (loaded.hasValue()) {
      <ng-container [ngComponentOutlet]="loaded.value()" />
    } @else if (loaded.error()) {
      <hp-error-panel
        i18n-title
        title="This part of the settings could not be loaded"
        [problem]="problem()"
        (retry)="loaded.reload()"
      />
    } @else {
      <div class="card"><hp-skeleton [rows]="4" /></div>
    }
  `,
  styles: `
    :host {
      display: block;
      min-height: 202px;
      margin-bottom: var(--space-4);
    }
    .card {
      min-height: 202px;
      padding: var(--space-1) var(--space-4);
    }
  `,
})
export class CardOutlet {
  readonly card = input.required<SettingsCard>();
  protected readonly loaded = resource({ params: () => this.card(), loader: ({ params }) => params.load() });
  protected readonly problem = () => asHttpProblem(this.loaded.error());
}
