import { Component, computed, input, output } from '@angular/core';
import { fileSize, formatNumber, Icon } from '@homeport/platform/web';
import type { BrowserRow } from './grid/rows';

/** The number and size of the selected rows, and the actions on them. */
@Component({
  selector: 'hp-selection-bar',
  imports: [Icon],
  template: `
    <button type="button" class="icon-button" i18n-aria-label aria-label="Clear selection" (click)="clear.emit()">
      <hp-icon name="close" />
    </button>
    <p role="status">
      <strong i18n>{rows().length, plural, =1 {1 selected} other {{{ number(rows().length) }} selected}}</strong>
      <span>{{ size() }}</span>
    </p>
    <button type="button" class="button icon-on-phones" [disabled]="rows().length === 0" (click)="download.emit()">
      <hp-icon name="download" /><span i18n>Download</span>
    </button>
    <button type="button" class="button icon-on-phones" [disabled]="rows().length === 0" (click)="move.emit()">
      <hp-icon name="folder" /><span i18n>Move</span>
    </button>
    <button type="button" class="button danger icon-on-phones" [disabled]="rows().length === 0" (click)="delete.emit()">
      <hp-icon name="trash" /><span i18n>Delete</span>
    </button>
  `,
  styles: `
    :host {
      display: flex;
      align-items: center;
      gap: var(--space-2);
      min-width: 0;
    }
    p {
      display: flex;
      flex: 1;
      flex-wrap: wrap;
      gap: 0 var(--space-2);
      min-width: 0;
      margin: 0;
    }
    p span {
      color: var(--muted);
    }
  `,
})
export class SelectionBar {
  readonly rows = input.required<readonly BrowserRow[]>();
  readonly clear = output();
  readonly download = output();
  readonly move = output();
  readonly delete = output();
  protected readonly number = formatNumber;
  /** Empty while a selected directory is not counted. */
  protected readonly size = computed(() => {
    const sizes = this.rows().map(({ entry, directory }) => (entry ? entry.size : directory.bytes));
    if (sizes.includes(undefined)) return '';
    return fileSize(sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0));
  });
}
