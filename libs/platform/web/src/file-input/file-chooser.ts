import { DOCUMENT, inject, Service } from '@angular/core';
import { pickedFiles, type PickedFile } from './picked-files';

export interface FileChooserOptions {
  /** A folder with everything in it, and not files. */
  readonly folder?: boolean;
  /** Several files, and not one. */
  readonly multiple?: boolean;
  /** The extensions that are offered, as in the attribute. */
  readonly accept?: string;
}

/** Lets somebody choose files of the device, without a field of the page. */
@Service()
export class FileChooser {
  readonly #document = inject(DOCUMENT);
  /** Kept while somebody chooses: browsers let go of a field that nobody holds. */
  #field: HTMLInputElement | undefined;

  /** Whether this device can give away a folder at once. */
  readonly supportsFolders = 'webkitdirectory' in this.#document.createElement('input');

  /** Never settles when nothing is chosen. Call it while a press is being handled. */
  choose({ folder = false, multiple = false, accept = '' }: FileChooserOptions): Promise<readonly PickedFile[]> {
    const field = this.#document.createElement('input');
    field.type = 'file';
    field.webkitdirectory = folder;
    field.multiple = multiple;
    field.accept = accept;
    this.#field = field;
    return new Promise((resolve) => {
      field.addEventListener('change', () => {
        resolve(pickedFiles(field.files ?? []));
        if (this.#field === field) this.#field = undefined;
      });
      field.click();
    });
  }
}
