import { Component, inject, Injector, type Type } from '@angular/core';
import { Icon, pickedFiles, Toasts } from '@homeport/platform/web';

/** The buttons that add the first files to an empty workspace. The code behind them is loaded on demand. */
@Component({
  selector: 'hp-onboarding',
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
export class Onboarding {
  readonly #injector = inject(Injector);
  readonly #toasts = inject(Toasts);

  protected async upload(input: HTMLInputElement): Promise<void> {
    const picked = pickedFiles(input.files ?? []);
    input.value = '';
    if (picked.length === 0) return;
    const uploads = await this.#loadService(async () => (await import('../uploads/uploads')).Uploads);
    await uploads?.add(picked, '');
  }

  protected async newFile(): Promise<void> {
    const actions = await this.#loadService(async () => (await import('../browser/actions/file-actions')).FileActions);
    await actions?.newFile('');
  }

  /** Loads a service; shows a message and returns undefined when that fails. */
  async #loadService<T>(load: () => Promise<Type<T>>): Promise<T | undefined> {
    try {
      return this.#injector.get(await load());
    } catch {
      this.#toasts.show($localize`This could not be loaded, so nothing was done. Check your connection and try again.`);
      return undefined;
    }
  }
}
