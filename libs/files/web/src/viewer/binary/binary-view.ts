import { Component, computed, input } from '@angular/core';
import { fileSize, formatNumber, Icon } from '@homeport/platform/web';
import { fileTypeLabel } from '../file-type-label';
import type { ShownFile } from '../shown-file';
import { hexRows } from './hex-rows';
import { detectFileType } from './detect-file-type';

const SHOWN_BYTES = 512;

/** Shows the type and the first bytes of a file that has no other view. */
@Component({
  selector: 'hp-binary-view',
  imports: [Icon],
  templateUrl: './binary-view.html',
  styleUrl: './binary-view.css',
})
export class BinaryView {
  readonly file = input.required<ShownFile>();
  readonly #sample = computed(() => this.file().sample ?? new Uint8Array());
  protected readonly kind = computed(() => {
    const { name, facts } = this.file();
    return detectFileType(this.#sample(), name) ?? fileTypeLabel(name, facts.contentType);
  });
  protected readonly rows = computed(() => hexRows(this.#sample().subarray(0, SHOWN_BYTES)));
  protected readonly size = computed(() => fileSize(this.file().facts.size));
  protected readonly bytes = computed(() => formatNumber(this.file().facts.size));
}
