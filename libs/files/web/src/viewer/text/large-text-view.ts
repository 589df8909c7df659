import { Component, computed, effect, inject, input, linkedSignal, signal, viewChild } from '@angular/core';
import { ErrorPanel, fileSize, Icon, screenData, Skeleton } from '@homeport/platform/web';
import { CachedFilesClient } from '../../offline/cached-files-client';
import { FindBar } from '../find/find-bar';
import { findInText } from '../find/find-in-text';
import type { ShownFile } from '../shown-file';
import { partAt, partBytes, partCount, partRange, PART_BYTES } from './text-parts';
import { TextLines } from './text-lines';

interface Part {
  readonly number: number;
  readonly text: string;
  /** Whether the file has changed since it was opened. */
  readonly changed: boolean;
}

/** Shows a text of any size; one part of it is in memory at a time. */
@Component({
  selector: 'hp-large-text-view',
  imports: [ErrorPanel, FindBar, Icon, Skeleton, TextLines],
  templateUrl: './large-text-view.html',
  styleUrl: './large-text-view.css',
})
export class LargeTextView {
  readonly file = input.required<ShownFile>();
  readonly #files = inject(CachedFilesClient);

  protected readonly part = linkedSignal({ source: this.file, computation: () => 0 });
  protected readonly parts = computed(() => partCount(this.file().facts.size));
  protected readonly place = computed(() => {
    const { size } = this.file().facts;
    const from = fileSize(this.part() * PART_BYTES);
    const to = fileSize(Math.min(size, (this.part() + 1) * PART_BYTES));
    return $localize`${from}:from: to ${to}:to: of ${fileSize(size)}:size:`;
  });
  protected readonly read = screenData<Part>({
    key: () => `${this.file().key}\n${this.file().facts.etag}\n${this.part()}`,
    load: (_key, abort) => this.#read(this.file(), this.part(), abort),
  });
  private readonly bar = viewChild(FindBar);
  protected readonly finding = findInText({
    text: computed(() => ({
      parts: this.parts(),
      read: async (number, abort) => (await this.#read(this.file(), number, abort)).text,
    })),
    shown: this.read.value,
    bar: this.bar,
    show: (part) => this.go(part),
  });
  protected readonly wrongPlace = signal(false);
  /** The number of lines of each part that was read. Line numbers are known once all parts before were read. */
  readonly #lineCounts = linkedSignal({ source: this.file, computation: () => new Map<number, number>() });
  protected readonly firstLine = computed(() => {
    let line = 1;
    for (let before = 0; before < this.part(); before += 1) {
      const lines = this.#lineCounts().get(before);
      if (lines === undefined) return undefined;
      line += lines;
    }
    return line;
  });

  constructor() {
    effect(() => {
      const part = this.read.value();
      if (!part) return;
      const breaks = part.text.split('\n').length - 1;
      this.#lineCounts.update((counted) => new Map(counted).set(part.number, breaks));
    });
  }

  async #read({ key, facts, encoding = 'utf-8' }: ShownFile, number: number, abort: AbortSignal): Promise<Part> {
    const { content, etag } = await this.#files.get(key, abort, partRange(number, facts.size));
    const read = new Uint8Array(await content.arrayBuffer());
    const text = new TextDecoder(encoding).decode(partBytes(read, number, facts.size, encoding));
    return { number, text, changed: etag !== facts.etag };
  }

  protected go(part: number): void {
    this.part.set(Math.max(0, Math.min(part, this.parts() - 1)));
  }

  protected jump(event: Event, words: string): void {
    event.preventDefault();
    const part = partAt(words, this.file().facts.size);
    this.wrongPlace.set(part === undefined);
    if (part !== undefined) this.go(part);
  }
}
