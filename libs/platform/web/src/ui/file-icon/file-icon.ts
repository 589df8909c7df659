import { Component, computed, input } from '@angular/core';
import type { IconName } from '../icon/icon-paths';
import { Icon } from '../icon/icon';
import { fileKind } from './file-kind';

/** The icon name for a file name, for components that take an icon name. */
export function fileIconName(name: string): IconName {
  const kind = fileKind(name);
  return kind === 'other' ? 'file' : `file-${kind}`;
}

/** The icon of a file on a tile in the color of its kind, selected by its extension. */
@Component({
  selector: 'hp-file-icon',
  imports: [Icon],
  template: `<hp-icon [name]="icon()" />`,
  host: { '[style.color]': 'color()' },
  styles: `
    :host {
      display: inline-grid;
      flex: none;
      place-items: center;
      width: 32px;
      height: 32px;
      border-radius: var(--radius-small);
      background: color-mix(in srgb, currentColor 12%, transparent);
    }
    hp-icon {
      width: 20px;
      height: 20px;
    }
  `,
})
export class FileIcon {
  readonly name = input.required<string>();
  protected readonly icon = computed(() => fileIconName(this.name()));
  protected readonly color = computed(() => `var(--kind-${fileKind(this.name())})`);
}
