import { Component, effect, ElementRef, inject, input, signal, untracked } from '@angular/core';
import { nameOf } from '../../tree/display-path';
import { MarkdownView } from '../../viewer/markdown/markdown-view';
import { fragmentTarget, reveal } from '../../viewer/markdown/rewrite-links';
import type { ShownFile } from '../../viewer/shown-file';

/** The preview follows the text after this pause. */
const PAUSE_MS = 250;

/** Shows the Markdown of the editor as the viewer would show it. */
@Component({
  selector: 'hp-markdown-preview',
  imports: [MarkdownView],
  template: `
    @if (file(); as shown) {
      <hp-markdown-view [file]="shown" />
    }
  `,
  styles: `
    :host {
      display: block;
      min-height: 0;
      padding: var(--space-4) var(--space-5);
      overflow: auto;
      overscroll-behavior: contain;
    }
    :host:focus-visible {
      outline-offset: -2px;
    }
  `,
  host: { tabindex: '0', role: 'region', '[attr.aria-label]': 'label' },
})
export class MarkdownPreview {
  readonly fileKey = input.required<string>();
  readonly text = input.required<string>();
  /** How far the text is scrolled, from 0 to 1. */
  readonly scrolled = input(0);

  readonly #host = inject<ElementRef<HTMLElement>>(ElementRef).nativeElement;
  protected readonly label = $localize`Preview`;
  protected readonly file = signal<ShownFile | undefined>(undefined);

  constructor() {
    effect((onCleanup) => {
      const [key, text] = [this.fileKey(), this.text()];
      const show = (): void => this.file.set(shownFile(key, text));
      const isFirst = untracked(this.file) === undefined;
      const timer = setTimeout(show, isFirst ? 0 : PAUSE_MS);
      onCleanup(() => clearTimeout(timer));
    });
    effect(() => {
      const { scrollHeight, clientHeight } = this.#host;
      this.#host.scrollTop = this.scrolled() * (scrollHeight - clientHeight);
    });
    // Before the view handles the click: links must not leave the editor.
    this.#host.addEventListener('click', (event) => this.#follow(event), { capture: true });
  }

  #follow(event: Event): void {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (!link) return;
    event.preventDefault();
    event.stopPropagation();
    const { hash, pathname } = new URL(link.href, location.href);
    const target = hash && fragmentTarget(this.#host, decodeURIComponent(hash.slice(1)));
    if (target && nameOf(decodeURIComponent(pathname)) === nameOf(this.fileKey())) reveal(target);
    else window.open(link.href, '_blank', 'noopener');
  }
}

function shownFile(key: string, text: string): ShownFile {
  const facts = { key, size: text.length, contentType: 'text/markdown', etag: '', modifiedAt: null };
  return { key, name: nameOf(key), facts, text, encoding: 'utf-8' };
}
