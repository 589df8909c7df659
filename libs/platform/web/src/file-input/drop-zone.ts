import {
  booleanAttribute,
  DestroyRef,
  Directive,
  DOCUMENT,
  ElementRef,
  inject,
  input,
  output,
  signal,
} from '@angular/core';
import type { OnInit } from '@angular/core';
import { asHttpProblem } from '../http/http-problem';
import { Toasts } from '../ui/toasts/toasts';
import { droppedFiles, type PickedFile } from './picked-files';

/** Dropped files, and the place where they were dropped. */
export interface FileDrop {
  readonly files: readonly PickedFile[];
  /** The result of `placeOf`. */
  readonly place: string | undefined;
}

/** Accepts dropped files and folders, on its element or on the whole page. */
@Directive({ selector: '[hpDropZone]', exportAs: 'dropZone' })
export class DropZone implements OnInit {
  readonly #toasts = inject(Toasts);
  readonly #document = inject(DOCUMENT);
  readonly #host = inject<ElementRef<HTMLElement>>(ElementRef).nativeElement;
  readonly #listeners = new AbortController();
  /** Whether files can be dropped anywhere on the page, except while a modal dialog is open. */
  readonly wholePage = input(false, { transform: booleanAttribute });
  readonly picked = output<readonly PickedFile[]>();
  /** Names the place at an element, for zones where files can be dropped on different elements. */
  readonly placeOf = input<(target: EventTarget | null) => string | undefined>();
  /** Emits with `picked`. */
  readonly dropped = output<FileDrop>();
  /** Number of elements under the drag: entering a child fires before leaving its parent. */
  readonly #depth = signal(0);
  readonly isOver = () => this.#depth() > 0;

  constructor() {
    inject(DestroyRef).onDestroy(() => this.#listeners.abort());
  }

  ngOnInit(): void {
    const { signal } = this.#listeners;
    const target: Pick<HTMLElement, 'addEventListener'> = this.wholePage() ? this.#document.body : this.#host;
    target.addEventListener('dragenter', (event) => this.#drag(event, 1), { signal });
    target.addEventListener('dragover', (event) => this.#drag(event, 0), { signal });
    target.addEventListener('dragleave', (event) => this.#drag(event, -1), { signal });
    target.addEventListener('drop', (event) => void this.#drop(event), { signal });
  }

  #accepts({ dataTransfer, defaultPrevented }: DragEvent): boolean {
    if (!dataTransfer?.types.includes('Files') || defaultPrevented) return false;
    return !this.wholePage() || this.#document.querySelector('[aria-modal="true"]') === null;
  }

  #drag(event: DragEvent, change: number): void {
    if (!this.#accepts(event)) return;
    event.preventDefault();
    this.#depth.update((depth) => Math.max(0, depth + change));
  }

  async #drop(event: DragEvent): Promise<void> {
    this.#depth.set(0);
    if (!event.dataTransfer || !this.#accepts(event)) return;
    event.preventDefault();
    // Read now: elements may have moved when the files are read.
    const place = this.placeOf()?.(event.target);
    try {
      const files = await droppedFiles(event.dataTransfer);
      this.picked.emit(files);
      this.dropped.emit({ files, place });
    } catch (error) {
      // The device could not read the dropped files; nothing was sent.
      const reason = error instanceof DOMException ? error.message : asHttpProblem(error).detail;
      this.#toasts.show($localize`The dropped files could not be read. ${reason}:reason:`);
    }
  }
}
