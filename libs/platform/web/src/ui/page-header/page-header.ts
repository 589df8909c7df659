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
      gap: 12px 16px;
      min-height: 36px;
      margin-bottom: 20px;
    }
    .words {
      flex: 1 1 240px;
      min-width: 0;
    }
    h1 {
      margin: 0;
      font-size: 22px;
      line-height: 28px;
      letter-spacing: -0.01em;
      overflow-wrap: anywhere;
    }
    p {
      margin: 2px 0 0;
      color: var(--muted);
    }
    .actions {
      display: flex;
      flex-wrap: wrap;
      align-items: center;
      gap: 8px;
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
