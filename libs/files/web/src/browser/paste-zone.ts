import { DestroyRef, Directive, DOCUMENT, inject, output } from '@angular/core';
import { pickedFiles, type PickedFile } from '@homeport/platform/web';

/** Emits files that are pasted anywhere on the page, except into text fields. */
@Directive({ selector: '[hpPasteZone]' })
export class PasteZone {
  readonly pasted = output<readonly PickedFile[]>();

  constructor() {
    const document = inject(DOCUMENT);
    const paste = (event: ClipboardEvent): void => this.#paste(event);
    document.addEventListener('paste', paste);
    inject(DestroyRef).onDestroy(() => document.removeEventListener('paste', paste));
  }

  #paste(event: ClipboardEvent): void {
    const files = event.clipboardData?.files;
    const isText = event.target instanceof Element && event.target.closest('input, textarea, [contenteditable]');
    if (!files?.length || isText) return;
    event.preventDefault();
    this.pasted.emit(pickedFiles(files));
  }
}
