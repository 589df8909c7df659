import { CdkMenu, CdkMenuItem, CdkMenuTrigger } from '@angular/cdk/menu';
import { Component, output } from '@angular/core';
import { Icon, Key } from '@homeport/platform/web';
import { MENU_POSITIONS } from './menu-positions';

/** A button for a new file, with a menu for what else can be created. */
@Component({
  selector: 'hp-new-menu',
  imports: [CdkMenu, CdkMenuItem, CdkMenuTrigger, Icon, Key],
  template: `
    <button type="button" class="button file icon-on-phones" (click)="file.emit()">
      <hp-icon name="plus" /><span i18n>New file</span>
    </button>
    <button
      type="button"
      class="button more"
      i18n-aria-label
      aria-label="More options"
      [cdkMenuTriggerFor]="menu"
      [cdkMenuPosition]="positions"
    >
      <hp-icon name="chevron-down" />
    </button>
    <ng-template #menu>
      <div class="menu" cdkMenu>
        <button type="button" cdkMenuItem (cdkMenuItemTriggered)="folder.emit()">
          <hp-icon name="folder-plus" /><ng-container i18n>New folder</ng-container
          ><hp-key class="key" aria-hidden="true" [keys]="['Alt', 'N']" />
        </button>
        <button type="button" cdkMenuItem (cdkMenuItemTriggered)="file.emit()">
          <hp-icon name="file" /><ng-container i18n>New file</ng-container>
        </button>
      </div>
    </ng-template>
  `,
  styles: `
    :host {
      display: inline-flex;
    }
    .file {
      border-radius: var(--radius) 0 0 var(--radius);
    }
    .more {
      width: var(--control);
      margin-left: -1px;
      padding: 0;
      border-radius: 0 var(--radius) var(--radius) 0;
    }
    .more hp-icon {
      width: 14px;
      height: 14px;
    }
    .button:focus-visible {
      z-index: 1;
    }
    .key {
      margin-left: auto;
      padding-left: var(--space-6);
    }
    @media (pointer: coarse) {
      .key {
        display: none;
      }
    }
  `,
  styleUrl: './menu.css',
})
export class NewMenu {
  protected readonly positions = MENU_POSITIONS;
  readonly file = output();
  readonly folder = output();
}
