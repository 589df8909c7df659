import { Component, inject, Injector } from '@angular/core';
import { Icon } from '@homeport/platform/web';
import { pickedFiles } from '../uploads/picked-files';

/** How a workspace gets its first files. What does it is loaded when it is asked for. */
@Component({
  selector: 'hp-first-files',
  imports: [Icon],
  template: `
    <input
      #files
      class="visually-hidden"
      type="file"
      multiple
      tabindex="-1"
      aria-hidden="true"
      (change)="upload(files)"
    />
    <button type="button" class="button primary" (click)="files.click()">
      <hp-icon name="upload" /><ng-container i18n>Upload files</ng-container>
    </button>
    <button type="button" class="button" (click)="newFile()">
      <hp-icon name="plus" /><ng-container i18n>New file</ng-container>
    </button>
  `,
  styles: `
    :host {
      display: flex;
      flex-wrap: wrap;
      gap: 8px;
      justify-content: center;
    }
  `,
})
export class FirstFiles {
  readonly #injector = inject(Injector);

  protected async upload(input: HTMLInputElement): Promise<void> {
    const picked = pickedFiles(input.files ?? []);
    input.value = '';
    if (picked.length === 0) return;
    const { Uploads } = await import('../uploads/uploads');
    await this.#injector.get(Uploads).add(picked, '');
  }

  protected async newFile(): Promise<void> {
    const { FileActions } = await import('../browser/actions/file-actions');
    await this.#injector.get(FileActions).newFile('');
  }
}
