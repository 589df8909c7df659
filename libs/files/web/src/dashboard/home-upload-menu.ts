import { CdkMenu, CdkMenuItem } from '@angular/cdk/menu';
import { afterNextRender, Component, inject, viewChild } from '@angular/core';
import { Icon, PanelRef } from '@homeport/platform/web';
import { FirstFileActions } from './first-file-actions';

/** The menu of the upload button on the home page. */
@Component({
  selector: 'hp-home-upload-menu',
  imports: [CdkMenu, CdkMenuItem, Icon],
  template: `
    <div class="menu" cdkMenu aria-label="Upload" i18n-aria-label>
      <button type="button" class="menu-item" cdkMenuItem (cdkMenuItemTriggered)="chooseFiles()">
        <hp-icon name="file" /><ng-container i18n>Upload files</ng-container>
      </button>
      @if (actions.supportsFolders) {
        <button type="button" class="menu-item" cdkMenuItem (cdkMenuItemTriggered)="chooseFolder()">
          <hp-icon name="folder" /><ng-container i18n>Upload folder</ng-container>
        </button>
      }
    </div>
  `,
})
export class HomeUploadMenu {
  readonly #panel = inject(PanelRef);
  private readonly menu = viewChild.required(CdkMenu);
  protected readonly actions = inject(FirstFileActions);

  constructor() {
    afterNextRender(() => this.menu().focusFirstItem('keyboard'));
  }

  protected chooseFiles(): void {
    this.#panel.close();
    void this.actions.chooseFiles();
  }

  protected chooseFolder(): void {
    this.#panel.close();
    void this.actions.chooseFolder();
  }
}
