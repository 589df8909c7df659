import { Directive, inject, output, signal } from '@angular/core';
import { asHttpProblem } from '../http/http-problem';
import { Toasts } from '../ui/toasts/toasts';
import { droppedFiles, type PickedFile } from './picked-files';

/** Accepts dropped files and folders. */
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
  /** Number of elements under the drag: entering a child fires before leaving its parent. */
  readonly #depth = signal(0);
  readonly isOver = () => this.#depth() > 0;

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
      // The device could not read the dropped files; nothing was sent.
      const reason = error instanceof DOMException ? error.message : asHttpProblem(error).detail;
      this.#toasts.show($localize`The dropped files could not be read. ${reason}:reason:`);
    }
  }
}
