import { CdkMenu, CdkMenuItem, CdkMenuTrigger } from '@angular/cdk/menu';
import { Component, inject, output, viewChild } from '@angular/core';
import { FileChooser, Icon, pickedFiles, type PickedFile } from '@homeport/platform/web';
import { MENU_POSITIONS } from './menu-positions';

/** A menu to upload files, or a folder with all its contents. */
@Component({
  selector: 'hp-upload-menu',
  imports: [CdkMenu, CdkMenuItem, CdkMenuTrigger, Icon],
  template: `
    <input
      #files
      class="visually-hidden"
      type="file"
      multiple
      tabindex="-1"
      aria-hidden="true"
      (change)="choose(files)"
    />
    <button type="button" class="button primary" [cdkMenuTriggerFor]="menu" [cdkMenuPosition]="positions">
      <hp-icon name="upload" /><span class="words" i18n>Upload</span><hp-icon class="more" name="chevron-down" />
    </button>
    <ng-template #menu>
      <div class="menu" cdkMenu>
        <button type="button" cdkMenuItem (cdkMenuItemTriggered)="files.click()">
          <hp-icon name="file" /><ng-container i18n>Upload files</ng-container>
        </button>
        <button type="button" cdkMenuItem (cdkMenuItemTriggered)="chooseFolder()">
          <hp-icon name="folder" /><ng-container i18n>Upload folder</ng-container>
        </button>
      </div>
    </ng-template>
  `,
  styles: `
    .more {
      width: 14px;
      height: 14px;
      margin-right: calc(-1 * var(--space-1));
    }
    @media (max-width: 639px) {
      .words {
        position: absolute;
        width: 1px;
        height: 1px;
        overflow: hidden;
        clip-path: inset(50%);
      }
    }
  `,
  styleUrl: './menu.css',
})
export class UploadMenu {
  protected readonly positions = MENU_POSITIONS;
  readonly #chooser = inject(FileChooser);
  private readonly trigger = viewChild.required(CdkMenuTrigger);
  readonly picked = output<readonly PickedFile[]>();

  /** Opens the menu and focuses its first item. */
  open(): void {
    const trigger = this.trigger();
    trigger.open();
    trigger.getMenu()?.focusFirstItem('keyboard');
  }

  /** Creates the folder input only on demand: one file input is enough for a page. */
  protected async chooseFolder(): Promise<void> {
    this.picked.emit(await this.#chooser.choose({ folder: true }));
  }

  protected choose(input: HTMLInputElement): void {
    this.picked.emit(pickedFiles(input.files ?? []));
    input.value = '';
  }
}
