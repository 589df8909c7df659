import { Component, computed, DestroyRef, effect, inject, input, signal } from '@angular/core';
import { Icon } from '@homeport/platform/web';
import type { ShownFile } from '../shown-file';
import { pictureType } from './picture-type';

/** Shows a picture, fitted to the page or in its actual size. */
@Component({
  selector: 'hp-picture-view',
  imports: [Icon],
  templateUrl: './picture-view.html',
  styleUrl: './picture-view.css',
})
export class PictureView {
  readonly file = input.required<ShownFile>();
  protected readonly address = signal<string | undefined>(undefined);
  protected readonly size = signal<string | undefined>(undefined);
  protected readonly broken = signal(false);
  protected readonly actual = signal(false);
  readonly #blob = computed(() => {
    const { name, facts, bytes } = this.file();
    // With a picture type, the browser treats the content as a picture and nothing else.
    return new Blob(bytes ? [bytes] : [], { type: pictureType(name, facts.contentType) ?? '' });
  });

  constructor() {
    effect((onCleanup) => {
      const address = URL.createObjectURL(this.#blob());
      this.address.set(address);
      this.broken.set(false);
      this.size.set(undefined);
      onCleanup(() => URL.revokeObjectURL(address));
    });
    inject(DestroyRef).onDestroy(() => this.address.set(undefined));
  }

  protected measure(event: Event): void {
    const { naturalWidth: width, naturalHeight: height } = event.target as HTMLImageElement;
    // An SVG without an intrinsic size has no pixel size to show.
    if (width > 0) this.size.set($localize`${width}:width: × ${height}:height: pixels`);
  }
}
