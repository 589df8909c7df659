import { Component, computed, ElementRef, inject, input } from '@angular/core';
import { Router } from '@angular/router';
import { MarkdownComponent, provideMarkdown, SANITIZE } from 'ngx-markdown';
import { markdownLink } from './markdown-link';
import { sanitizeMarkdown } from './sanitize-markdown';

/** A Markdown file as a page to read. Nothing in it runs, and nothing in it is fetched. */
@Component({
  selector: 'hp-markdown-view',
  imports: [MarkdownComponent],
  providers: [provideMarkdown({ sanitize: { provide: SANITIZE, useValue: sanitizeMarkdown } })],
  template: `<markdown class="prose" [data]="data()" (ready)="finish()" />`,
  styleUrl: './markdown-view.css',
  host: { '(click)': 'follow($event)' },
})
export class MarkdownView {
  readonly text = input.required<string>();
  /** The key of the file, which relative links start from. */
  readonly key = input.required<string>();
  readonly #router = inject(Router);
  readonly #host = inject<ElementRef<HTMLElement>>(ElementRef).nativeElement;

  // The renderer takes the first line's indentation off every line, and reads an empty text as "look into the page".
  // A comment in front keeps both from happening; the sanitizer drops it.
  protected readonly data = computed(() => `<!-- -->\n\n${this.text()}`);

  protected finish(): void {
    for (const link of this.#host.querySelectorAll<HTMLAnchorElement>('a[href]')) {
      const target = markdownLink(link.getAttribute('href') ?? '', this.key());
      if (target === undefined) {
        link.removeAttribute('href');
        continue;
      }
      link.href = target;
      if (target.startsWith('/')) continue;
      link.rel = 'noopener noreferrer';
      link.target = '_blank';
    }
    // A picture that is not part of the text would have to be fetched; its words take its place.
    for (const picture of this.#host.querySelectorAll('img:not([src])')) {
      const words = picture.getAttribute('alt');
      const stub = Object.assign(document.createElement('span'), { className: 'picture', textContent: words });
      if (words) picture.replaceWith(stub);
      else picture.remove();
    }
    // What scrolls must be reachable with the keyboard.
    for (const block of this.#host.querySelectorAll('pre')) block.tabIndex = 0;
    for (const table of this.#host.querySelectorAll('table')) {
      const scroller = Object.assign(document.createElement('div'), { className: 'scroller', tabIndex: 0 });
      table.replaceWith(scroller);
      scroller.append(table);
    }
  }

  protected follow(event: MouseEvent): void {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    const path = link?.getAttribute('href');
    const plain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
    // Other addresses of this origin may be the server's own pages; the browser knows what to do with all of them.
    if (!path || !/^\/(view|files)\//.test(path) || !plain) return;
    event.preventDefault();
    void this.#router.navigateByUrl(path);
  }
}
