import { Directive, inject, output, signal, DestroyRef, DOCUMENT } from '@angular/core';
import { asHttpProblem, Toasts } from '@homeport/platform/web';
import { droppedFiles, pickedFiles, type PickedFile } from '../uploads/picked-files';

/** Takes files and folders that are dropped on it, and files that are pasted while it is there. */
@Directive({
  selector: '[hpDropZone]',
  exportAs: 'dropZone',
  host: {
    '(dragenter)': 'drag($event, 1)',
    '(dragover)': 'drag($event, 0)',
    '(dragleave)': 'drag($event, -1)',
    '(drop)': 'drop($event)',
  },
})
export class DropZone {
  readonly #toasts = inject(Toasts);
  readonly picked = output<readonly PickedFile[]>();
  /** How many elements a drag is over: entering a child comes before leaving its parent. */
  readonly #depth = signal(0);
  readonly isOver = () => this.#depth() > 0;

  constructor() {
    const document = inject(DOCUMENT);
    const paste = (event: ClipboardEvent): void => this.#paste(event);
    document.addEventListener('paste', paste);
    inject(DestroyRef).onDestroy(() => document.removeEventListener('paste', paste));
  }

  protected drag(event: DragEvent, change: number): void {
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    this.#depth.update((depth) => Math.max(0, depth + change));
  }

  protected async drop(event: DragEvent): Promise<void> {
    this.#depth.set(0);
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    try {
      this.picked.emit(await droppedFiles(event.dataTransfer));
    } catch (error) {
      // The device could not read what was dropped; nothing has been sent.
      const reason = error instanceof DOMException ? error.message : asHttpProblem(error).detail;
      this.#toasts.show($localize`What you dropped could not be read. ${reason}:reason:`);
    }
  }

  #paste(event: ClipboardEvent): void {
    const files = event.clipboardData?.files;
    const isText = event.target instanceof Element && event.target.closest('input, textarea, [contenteditable]');
    if (!files?.length || isText) return;
    event.preventDefault();
    this.picked.emit(pickedFiles(files));
  }
}
