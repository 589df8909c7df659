import { Component, input } from '@angular/core';

/** The heading of a page, which gets the focus after navigation. The content are the page's actions. */
@Component({
  selector: 'hp-page-header',
  template: `
    <div class="words">
      <h1 tabindex="-1">{{ heading() }}</h1>
      @if (note(); as text) {
        <p>{{ text }}</p>
      }
    </div>
    <div class="actions"><ng-content /></div>
  `,
  styles: `
    :host {
      display: flex;
      flex-wrap: wrap;
      align-items: center;
      gap: var(--space-3) var(--space-4);
      min-height: var(--space-10);
      margin-bottom: var(--space-6);
    }
    .words {
      flex: 1 1 var(--heading-basis, 240px);
      min-width: 0;
    }
    h1 {
      margin: 0;
      padding-right: var(--heading-end, 0);
      font: 600 var(--type-2xl) var(--font);
      letter-spacing: var(--tracking-tight);
      overflow-wrap: anywhere;
    }
    p {
      margin: var(--space-0-5) 0 0;
      color: var(--muted);
    }
    .actions {
      display: flex;
      flex-wrap: wrap;
      align-items: center;
      gap: var(--space-2);
    }
    @media (max-width: 359px) {
      .actions {
        gap: var(--space-1);
      }
    }
    .actions:empty {
      display: none;
    }
  `,
})
export class PageHeader {
  readonly heading = input.required<string>();
  readonly note = input<string>();
}
