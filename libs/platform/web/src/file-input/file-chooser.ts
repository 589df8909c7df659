import { DOCUMENT, inject, Service } from '@angular/core';
import { pickedFiles, type PickedFile } from './picked-files';

export interface FileChooserOptions {
  /** Picks a folder with all its files. */
  readonly folder?: boolean;
  /** Picks several files. */
  readonly multiple?: boolean;
  /** Accepted types, as in the `accept` attribute. */
  readonly accept?: string;
}

/** Opens the browser's file picker without an input element in the page. */
@Service()
export class FileChooser {
  readonly #document = inject(DOCUMENT);
  /** Referenced while the picker is open: browsers garbage-collect an unreferenced input. */
  #field: HTMLInputElement | undefined;

  /** Whether this browser can pick a whole folder. */
  readonly supportsFolders = 'webkitdirectory' in this.#document.createElement('input');

  /** Opens the picker; never settles when it is cancelled. Call it in a user event, which browsers require. */
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
