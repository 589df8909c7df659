import { Component, DOCUMENT, inject } from '@angular/core';
import { Router } from '@angular/router';
import { EmptyState, Icon, PageHeader } from '@homeport/platform/web';

/** Shown when the code of a page could not be loaded. */
@Component({
  selector: 'hp-page-unavailable',
  imports: [EmptyState, Icon, PageHeader],
  template: `
    <hp-page-header i18n-heading heading="This page could not be loaded" />
    <hp-empty-state icon="offline" i18n-text text="Check your connection and try again. No data was lost.">
      <button type="button" class="button primary" (click)="retry()">
        <hp-icon name="refresh" /><ng-container i18n>Retry</ng-container>
      </button>
    </hp-empty-state>
  `,
})
export class PageUnavailable {
  readonly #document = inject(DOCUMENT);
  readonly #requestedUrl: unknown = inject(Router).currentNavigation()?.extras.state?.['url'];

  protected retry(): void {
    this.#document.location.assign(typeof this.#requestedUrl === 'string' ? this.#requestedUrl : '/');
  }
}
