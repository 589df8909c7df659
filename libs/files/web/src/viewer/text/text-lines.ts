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
import type { LanguageHint } from '../code/highlighter';
import { LineFolds } from './line-folds';
import { lineFragment, lineRange } from './line-range';
import { TextLinesRenderer } from './text-lines-renderer';
import type { TextMatches } from './match-highlights';
import { LineWrapping } from './line-wrapping';

interface RenderedText {
  readonly text: string;
  readonly first: number | undefined;
  readonly foldable: boolean;
}

/** Shows text with line numbers and highlighting. The URL fragment determines the marked lines. */
@Component({
  selector: 'hp-text-lines',
  template: `
    @if (hasLongLines()) {
      <p class="notice" role="status" i18n>
        Very long lines are split for display. Copied or downloaded, they are complete.
      </p>
    }
    <pre
      #lines
      class="card"
      tabindex="0"
      role="region"
      aria-label="File content"
      i18n-aria-label
      [class.wrapped]="wrapping.on()"
      [class.foldable]="foldable()"
    ></pre>
  `,
  styleUrls: ['./text-lines.css', '../code/code-colors.css'],
  encapsulation: ViewEncapsulation.None,
  host: { '(click)': 'choose($event)' },
})
export class TextLines {
  readonly text = input.required<string>();
  readonly language = input<LanguageHint>({});
  /** The number of the first line; undefined when it is unknown. */
  readonly firstLine = input<number | undefined>(1);
  /** Whether the lines of objects and arrays can be folded. */
  readonly foldable = input(false);
  readonly matches = input<TextMatches>();

  protected readonly wrapping = inject(LineWrapping);
  protected readonly hasLongLines = signal(false);
  readonly #router = inject(Router);
  readonly #route = inject(ActivatedRoute);
  readonly #fragment = toSignal(this.#route.fragment, { initialValue: null });
  private readonly pre = viewChild.required<ElementRef<HTMLElement>>('lines');
  #shown: TextLinesRenderer | undefined;
  /** Changes when the renderer is replaced. */
  readonly #rendered = computed<RenderedText>(() => ({
    text: this.text(),
    first: this.firstLine(),
    foldable: this.foldable(),
  }));
  /** Whether the marked lines were clicked here, so that they need no scrolling. */
  #chosen = false;

  constructor() {
    afterRenderEffect({ write: () => this.#show(this.#rendered()) });
    afterRenderEffect({
      read: () => {
        const range = lineRange(this.#fragment());
        this.text();
        this.#shown?.mark(range, !this.#chosen);
        this.#chosen = false;
      },
    });
    afterRenderEffect({
      read: () => {
        this.#rendered();
        this.#shown?.showMatches(this.matches());
      },
    });
    inject(DestroyRef).onDestroy(() => this.#shown?.destroy());
  }

  /** Folds or unfolds all objects and arrays. */
  foldAll(isFolded: boolean): void {
    this.#shown?.foldAll(isFolded);
  }

  #show({ text, first, foldable }: RenderedText): void {
    this.#shown?.destroy();
    const folds = foldable ? new LineFolds(text) : undefined;
    const shown = new TextLinesRenderer(this.pre().nativeElement, text, { first, ...(folds && { folds }) });
    this.#shown = shown;
    untracked(() => this.hasLongLines.set(shown.hasLongLines));
    const language = untracked(this.language);
    void this.#highlight(shown, text, language);
  }

  async #highlight(shown: TextLinesRenderer, text: string, language: LanguageHint): Promise<void> {
    if (!language.file && !language.name) return;
    try {
      const { createHighlighter } = await import('../code/highlighter');
      const highlighter = await createHighlighter(text, language);
      if (highlighter && this.#shown === shown) shown.highlight(highlighter);
    } catch {
      // Highlighting is optional; offline, the grammars may not be available.
    }
  }

  /** Marks the line whose number is clicked; with Shift, all lines from the marked one to it. */
  protected choose(event: MouseEvent): void {
    const line = event.target instanceof Element ? event.target.closest<HTMLElement>('.line') : null;
    const number = Number(line?.dataset['line']);
    if (!line || !number || event.offsetX > Number.parseFloat(getComputedStyle(line).paddingLeft)) return;
    if (event.target !== line) return;
    const from = event.shiftKey ? lineRange(this.#fragment()) : undefined;
    this.#chosen = true;
    void this.#router.navigate([], {
      relativeTo: this.#route,
      fragment: lineFragment(number, from),
      queryParamsHandling: 'preserve',
      replaceUrl: true,
      scroll: 'manual',
    });
  }
}
