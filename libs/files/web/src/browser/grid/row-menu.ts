import { CdkMenu, CdkMenuItem } from '@angular/cdk/menu';
import { Component, computed, inject, input, output } from '@angular/core';
import { type Params, RouterLink } from '@angular/router';
import { formatNumber, Icon } from '@homeport/platform/web';
import { OfflineFiles } from '../../offline/offline-files';
import type { GridRow } from './grid-row';

/** The actions of a row, by its menu or a key. */
export type RowAction = 'download' | 'pin' | 'copy-link' | 'rename' | 'move' | 'delete';

/** The menu with the actions of one row, or of all selected rows. */
@Component({
  selector: 'hp-row-menu',
  imports: [CdkMenu, CdkMenuItem, Icon, RouterLink],
  template: `
    <div class="menu" cdkMenu>
      @if (count() === 1) {
        <a cdkMenuItem [routerLink]="row().link" [queryParams]="row().row.directory ? query() : undefined"
          ><hp-icon [name]="row().icon" /><ng-container i18n>Open</ng-container></a
        >
        <a cdkMenuItem target="_blank" [routerLink]="row().link"
          ><hp-icon name="external" /><ng-container i18n>Open in new tab</ng-container></a
        >
      }
      <button type="button" cdkMenuItem (cdkMenuItemTriggered)="action.emit('download')">
        <hp-icon name="download" />{{ words().download }}
      </button>
      @if (count() === 1) {
        @if (row().row.entry; as entry) {
          <button type="button" cdkMenuItem (cdkMenuItemTriggered)="action.emit('pin')">
            <hp-icon name="pin" />
            @if (offline.isPinned(entry.key)) {
              <ng-container i18n>Stop keeping offline</ng-container>
            } @else {
              <ng-container i18n>Keep offline</ng-container>
            }
          </button>
        }
        <button type="button" cdkMenuItem (cdkMenuItemTriggered)="action.emit('copy-link')">
          <hp-icon name="link" /><ng-container i18n>Copy link</ng-container>
        </button>
        <hr />
        <button type="button" cdkMenuItem (cdkMenuItemTriggered)="action.emit('rename')">
          <hp-icon name="edit" /><ng-container i18n>Rename</ng-container>
        </button>
      }
      <button type="button" cdkMenuItem (cdkMenuItemTriggered)="action.emit('move')">
        <hp-icon name="folder" />{{ words().move }}
      </button>
      <button type="button" cdkMenuItem class="danger" (cdkMenuItemTriggered)="action.emit('delete')">
        <hp-icon name="trash" />{{ words().delete }}
      </button>
    </div>
  `,
  styleUrl: '../menu.css',
})
export class RowMenu {
  readonly row = input.required<GridRow>();
  /** The number of rows that the actions apply to. */
  readonly count = input(1);
  /** The query parameters for links to directories. */
  readonly query = input<Params>();
  readonly action = output<RowAction>();
  protected readonly offline = inject(OfflineFiles);
  protected readonly words = computed(() => {
    if (this.count() === 1)
      return { download: $localize`Download`, move: $localize`Move to…`, delete: $localize`Delete` };
    const count = formatNumber(this.count());
    return {
      download: $localize`Download ${count}:count: items`,
      move: $localize`Move ${count}:count: items to…`,
      delete: $localize`Delete ${count}:count: items`,
    };
  });
}
