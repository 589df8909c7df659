import { Component, inject } from '@angular/core';
import { Icon } from '@homeport/platform/web';
import { UploadMenu } from '../browser/upload-menu';
import { FileActions } from '../browser/actions/file-actions';
import type { PickedFile } from '../uploads/picked-files';
import { Uploads } from '../uploads/uploads';

/** How a workspace gets its first files. */
@Component({
  selector: 'hp-first-files',
  imports: [Icon, UploadMenu],
  template: `
    <hp-upload-menu (picked)="upload($event)" />
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
  readonly #actions = inject(FileActions);
  readonly #uploads = inject(Uploads);

  protected upload(picked: readonly PickedFile[]): void {
    if (picked.length > 0) void this.#uploads.add(picked, '');
  }

  protected newFile(): void {
    void this.#actions.newFile('');
  }
}
