import { DestroyRef, DOCUMENT, EnvironmentInjector, inject, signal } from '@angular/core';
import { moveError } from '../actions/action-messages';
import type { BrowserRow } from '../grid/rows';
import { showDragImage } from './drag-image';
import { folderAt, type FolderElement } from './folder-at';

/** Only Homeport accepts the dragged rows. */
const ROWS_TYPE = 'application/x-homeport-rows';

export interface FolderDragOptions {
  readonly rows: () => readonly BrowserRow[];
  /** The rows to drag with a row: the selection, if the row is part of it. */
  readonly rowsWith: (row: BrowserRow) => readonly BrowserRow[];
  readonly move: (rows: readonly BrowserRow[], folder: string) => void;
}

export interface DragTarget extends FolderElement {
  /** Why the dragged rows cannot be moved to this folder. */
  readonly fault: string | undefined;
}

/**
 * Moves rows that are dragged to a folder: a row of the list, a step of the path, a folder of the tree, or any other link
 * to a folder on the page. Also tells which folder dragged files of the device are over. The browser cancels a drag with
 * Escape. Create it in an injection context.
 */
export class FolderDrag {
  readonly #options: FolderDragOptions;
  readonly #injector = inject(EnvironmentInjector);
  readonly #dragged = signal<readonly BrowserRow[] | undefined>(undefined);
  readonly #target = signal<DragTarget | undefined>(undefined);
  /** The rows that are being dragged. */
  readonly dragged = this.#dragged.asReadonly();
  /** The folder that rows or files are dragged over. */
  readonly target = this.#target.asReadonly();
  #isTouch = false;

  constructor(options: FolderDragOptions) {
    this.#options = options;
    const document = inject(DOCUMENT);
    const listeners = new AbortController();
    // In the capture phase, before drop zones handle the events.
    const on = <K extends keyof DocumentEventMap>(type: K, listen: (event: DocumentEventMap[K]) => void): void =>
      document.addEventListener(type, listen, { capture: true, signal: listeners.signal });
    on('pointerdown', ({ pointerType }) => (this.#isTouch = pointerType === 'touch'));
    on('dragstart', (event) => this.#start(event));
    on('dragenter', (event) => this.#over(event));
    on('dragover', (event) => this.#over(event));
    on('dragleave', ({ relatedTarget }) => {
      // Without another element, the pointer leaves the window.
      if (relatedTarget === null) this.#setTarget(undefined);
    });
    on('drop', (event) => this.#drop(event));
    on('dragend', () => this.#end());
    inject(DestroyRef).onDestroy(() => {
      listeners.abort();
      this.#end();
    });
  }

  /** The folder at an element, for files of the device that are dropped there. */
  folderOf(element: EventTarget | null): string | undefined {
    return this.#folderAt(element)?.path;
  }

  #start(event: DragEvent): void {
    const { target, dataTransfer } = event;
    const element = target instanceof Element ? target.closest<HTMLElement>('[data-index]') : null;
    const row = element && this.#options.rows()[Number(element.dataset['index'])];
    if (!row || !dataTransfer) return;
    if (this.#isTouch) {
      // A long press selects the row.
      event.preventDefault();
      return;
    }
    const rows = this.#options.rowsWith(row);
    // Without the address of the link, which other pages and windows would open.
    dataTransfer.clearData();
    dataTransfer.setData(ROWS_TYPE, '');
    dataTransfer.effectAllowed = 'move';
    showDragImage(dataTransfer, rows, this.#injector);
    this.#dragged.set(rows);
  }

  #over(event: DragEvent): void {
    const { dataTransfer } = event;
    const rows = this.#dragged();
    if (!rows && !dataTransfer?.types.includes('Files')) return;
    const found = this.#folderAt(event.target);
    // Browsers repeat the event while the pointer rests.
    if (found?.element !== this.#target()?.element)
      this.#setTarget(found && { ...found, fault: rows && moveError(rows, found.path) });
    if (!rows || !dataTransfer || !found || this.#target()?.fault !== undefined) return;
    event.preventDefault();
    dataTransfer.dropEffect = 'move';
  }

  #drop(event: DragEvent): void {
    const [rows, target] = [this.#dragged(), this.#target()];
    this.#end();
    if (!rows) return;
    event.preventDefault();
    if (target && target.fault === undefined) this.#options.move(rows, target.path);
  }

  #end(): void {
    this.#dragged.set(undefined);
    this.#setTarget(undefined);
  }

  #folderAt(element: EventTarget | null): FolderElement | undefined {
    return folderAt(element, (index) => this.#options.rows()[index]?.directory?.path);
  }

  #setTarget(next: DragTarget | undefined): void {
    // The element may belong to any component, such as the path in the top bar.
    this.#target()?.element.removeAttribute('data-drop');
    next?.element.setAttribute('data-drop', next.fault === undefined ? 'allowed' : 'forbidden');
    this.#target.set(next);
  }
}
