import { Component, computed, createComponent, type EnvironmentInjector, input } from '@angular/core';
import { fileIconName, Icon } from '@homeport/platform/web';
import { rowCountLabel } from '../actions/action-messages';
import type { BrowserRow } from '../grid/rows';

/** Distance of the pointer from the corner of the picture. */
const OFFSET_PX = 16;

/** The picture that follows the pointer while rows are dragged: the name of one row, or the number of rows. */
@Component({
  selector: 'hp-drag-image',
  imports: [Icon],
  template: `
    <hp-icon [name]="icon()" />
    <span>{{ label() }}</span>
  `,
  host: { 'aria-hidden': 'true', '[class.many]': 'rows().length > 1' },
  styles: `
    :host {
      position: fixed;
      top: -200px;
      left: 0;
      display: inline-flex;
      align-items: center;
      gap: var(--space-2);
      max-width: 280px;
      margin: var(--space-2);
      padding: var(--space-2) var(--space-3) var(--space-2) var(--space-2-5);
      border: 1px solid var(--line-strong);
      border-radius: 8px;
      background: var(--surface-1);
      color: var(--text);
      font: 500 var(--type-base) var(--font);
    }
    :host(.many) {
      box-shadow:
        4px 4px 0 -1px var(--surface-2),
        4px 4px 0 0 var(--line-strong);
    }
    hp-icon {
      color: var(--accent);
    }
    span {
      overflow: hidden;
      text-overflow: ellipsis;
      white-space: nowrap;
    }
  `,
})
export class DragImage {
  readonly rows = input.required<readonly BrowserRow[]>();
  protected readonly label = computed(() => {
    const [row, second] = this.rows();
    return row && !second ? row.name : rowCountLabel(this.rows());
  });
  protected readonly icon = computed(() => {
    const [row] = this.rows();
    return !row?.entry ? 'folder' : this.rows().length > 1 ? 'copy' : fileIconName(row.name);
  });
}

/** Shows the picture of the rows. The browser copies it while the drag starts, so that it is removed right after. */
export function showDragImage(
  transfer: DataTransfer,
  rows: readonly BrowserRow[],
  environmentInjector: EnvironmentInjector,
): void {
  const image = createComponent(DragImage, { environmentInjector });
  image.setInput('rows', rows);
  image.changeDetectorRef.detectChanges();
  const element = image.location.nativeElement as HTMLElement;
  document.body.append(element);
  transfer.setDragImage(element, OFFSET_PX, OFFSET_PX);
  setTimeout(() => image.destroy());
}
