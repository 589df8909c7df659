import { Component } from '@angular/core';
import { RouterLink } from '@angular/router';
import { EmptyState, Icon, PageHeader } from '@homeport/platform/web';

@Component({
  selector: 'hp-not-found',
  imports: [EmptyState, Icon, PageHeader, RouterLink],
  template: `
    <hp-page-header i18n-heading heading="Page not found" />
    <hp-empty-state
      icon="search"
      i18n-text
      text="The link may be wrong, or the page has moved. Your files are under Files."
    >
      <div class="ways">
        <a class="button primary" routerLink="/"><hp-icon name="home" /><ng-container i18n>Home</ng-container></a>
        <a class="button" routerLink="/files"><hp-icon name="folder" /><ng-container i18n>Files</ng-container></a>
      </div>
    </hp-empty-state>
  `,
  styles: `
    .ways {
      display: flex;
      gap: var(--space-2);
    }
  `,
})
export class NotFound {}
