import { Component, computed, input } from '@angular/core';
import type { IconName } from '../icon/icon-paths';
import { Icon } from '../icon/icon';
import { fileKind, type FileKind } from './file-kind';

const ICONS: Readonly<Record<FileKind, IconName>> = {
  markdown: 'file-markdown',
  text: 'file-text',
  json: 'file-json',
  code: 'file-code',
  sheet: 'file-sheet',
  image: 'file-image',
  pdf: 'file-pdf',
  archive: 'file-archive',
  audio: 'file-audio',
  video: 'file-video',
  other: 'file',
};

/** The icon name for a file name, for components that take an icon name. */
export function fileIconName(name: string): IconName {
  return ICONS[fileKind(name)];
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
