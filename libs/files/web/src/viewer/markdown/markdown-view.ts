import { Clipboard } from '@angular/cdk/clipboard';
import {
  afterRenderEffect,
  Component,
  computed,
  DestroyRef,
  ElementRef,
  inject,
  input,
  signal,
  untracked,
  viewChild,
  ViewEncapsulation,
} from '@angular/core';
import { toSignal } from '@angular/core/rxjs-interop';
import { ActivatedRoute, Router } from '@angular/router';
import { Theme } from '@homeport/platform/web';
import { CachedFilesClient } from '../../offline/cached-files-client';
import { viewUrl } from '../../tree/file-links';
import type { ShownFile } from '../shown-file';
import { Sandbox } from '../sandbox/sandbox';
import { decorateAlerts, decorateTables, frontMatterElement } from './decorate-blocks';
import { highlightCodeBlocks } from './highlight-code';
import { renderDiagrams, insertDiagramPlaceholders, type DiagramPlaceholder } from './render-diagrams';
import { addHeadingAnchors, rewriteLinks, type Heading, fragmentUrl, fragmentTarget, reveal } from './rewrite-links';
import { resolveImages } from './resolve-images';
import { frontMatter } from './front-matter';
import { renderMarkdown } from './render-markdown';
import { sanitizeMarkdown } from './sanitize';

/** Texts with fewer headings have no table of contents. */
const MIN_LISTED_HEADINGS = 3;
const DARK = matchMedia('(prefers-color-scheme: dark)');

/** Shows a Markdown file. Nothing in it is executed, and only pictures of the workspace are loaded. */
@Component({
  selector: 'hp-markdown-view',
  templateUrl: './markdown-view.html',
  styleUrls: ['./prose.css', './prose-blocks.css', '../code/code-colors.css'],
  encapsulation: ViewEncapsulation.None,
  host: { '(click)': 'follow($event)' },
})
export class MarkdownView {
  readonly file = input.required<ShownFile>();

  readonly #files = inject(CachedFilesClient);
  readonly #sandbox = inject(Sandbox);
  readonly #clipboard = inject(Clipboard);
  readonly #router = inject(Router);
  readonly #theme = inject(Theme);
  readonly #fragment = toSignal(inject(ActivatedRoute).fragment, { initialValue: null });
  readonly #systemDark = signal(DARK.matches);
  readonly #dark = computed(() => {
    const choice = this.#theme.choice();
    return choice === 'system' ? this.#systemDark() : choice === 'dark';
  });
  readonly #diagrams = signal<readonly DiagramPlaceholder[]>([]);
  readonly #headings = signal<readonly Heading[]>([]);
  private readonly prose = viewChild.required<ElementRef<HTMLElement>>('prose');

  protected readonly contents = computed(() => {
    const listed = this.#headings().filter(({ level }) => level === 2 || level === 3);
    return listed.length < MIN_LISTED_HEADINGS ? [] : listed;
  });

  constructor() {
    const listen = (): void => this.#systemDark.set(DARK.matches);
    DARK.addEventListener('change', listen);
    inject(DestroyRef).onDestroy(() => DARK.removeEventListener('change', listen));
    afterRenderEffect({
      write: (onCleanup) => {
        const controller = new AbortController();
        onCleanup(() => controller.abort());
        this.#render(this.file(), controller.signal);
      },
    });
    afterRenderEffect({
      write: (onCleanup) => {
        const controller = new AbortController();
        onCleanup(() => controller.abort());
        const draw = this.#sandbox.draw.bind(this.#sandbox);
        renderDiagrams(this.#diagrams(), { draw, dark: this.#dark(), signal: controller.signal });
      },
    });
    afterRenderEffect({
      read: () => {
        this.file();
        this.#reveal(this.#fragment());
      },
    });
  }

  #render({ key, name, text = '' }: ShownFile, signal: AbortSignal): void {
    const front = frontMatter(text);
    const root = this.prose().nativeElement;
    root.innerHTML = sanitizeMarkdown(renderMarkdown(front?.body ?? text, /\.mdx$/i.test(name) ? 'mdx' : 'md'));
    const data = front && frontMatterElement(front);
    if (data) root.prepend(data);
    rewriteLinks(root, key);
    const headings = addHeadingAnchors(root, key);
    decorateAlerts(root);
    decorateTables(root);
    const diagrams = insertDiagramPlaceholders(root);
    highlightCodeBlocks(root, { copy: (code) => this.#clipboard.copy(code), signal });
    const read = async (path: string, reading: AbortSignal): Promise<Blob> =>
      (await this.#files.getEmbedded(path, reading)).content;
    resolveImages(root, { key, read, signal });
    untracked(() => {
      this.#diagrams.set(diagrams);
      this.#headings.set(headings);
    });
  }

  protected address(fragment: string): string {
    return fragmentUrl(this.file().key, fragment);
  }

  protected follow(event: MouseEvent): void {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    const path = link?.getAttribute('href');
    const plain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
    // Other URLs of this origin may be pages of the server, so the browser handles them.
    if (!path || !/^\/(view|files|edit)(\/|$)/.test(path) || !plain) return;
    event.preventDefault();
    const here = viewUrl(this.file().key);
    if (!path.startsWith(`${here}#`)) {
      void this.#router.navigateByUrl(path);
      return;
    }
    void this.#router.navigateByUrl(path, { scroll: 'manual' });
    this.#reveal(decodeURIComponent(path.slice(here.length + 1)));
  }

  #reveal(fragment: string | null): void {
    const part = fragment ? fragmentTarget(this.prose().nativeElement, fragment) : undefined;
    if (part) reveal(part);
  }
}
