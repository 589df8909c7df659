import { inject, Injector, Service, type Type } from '@angular/core';
import { FileChooser, type PickedFile, Toasts } from '@homeport/platform/web';

/** Adds files to the workspace from the home page. The code behind the actions is loaded on demand. */
@Service()
export class FirstFileActions {
  readonly #chooser = inject(FileChooser);
  readonly #injector = inject(Injector);
  readonly #toasts = inject(Toasts);

  /** Whether this browser can pick a whole folder. */
  readonly supportsFolders = this.#chooser.supportsFolders;

  async upload(picked: readonly PickedFile[]): Promise<void> {
    if (picked.length === 0) return;
    const uploads = await this.#loadService(async () => (await import('../uploads/uploads')).Uploads);
    await uploads?.add(picked, '');
  }

  async chooseFiles(): Promise<void> {
    await this.upload(await this.#chooser.choose({ multiple: true }));
  }

  async chooseFolder(): Promise<void> {
    await this.upload(await this.#chooser.choose({ folder: true }));
  }

  async newFile(): Promise<void> {
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
