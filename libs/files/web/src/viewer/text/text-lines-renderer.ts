import type { Highlighter } from '../code/highlighter';
import { FoldButtons } from './fold-buttons';
import type { HiddenLines, LineFolds } from './line-folds';
import { MatchHighlights, type TextMatches } from './match-highlights';
import { blockAtOffset, blockOfLine, type TextBlock, textBlocks } from './text-blocks';
import type { LineRange } from './line-range';

/** In shorter texts, every line has an element from the start, so that the page does not change during a search. */
const EAGER_LINES = 4_000;

export interface TextLinesOptions {
  /** The number of the first line; undefined when it is unknown. */
  readonly first: number | undefined;
  /** Makes the lines foldable that open an object or array. */
  readonly folds?: LineFolds;
}

/**
 * Renders the lines of a text. The whole text is in the page; blocks near the viewport get an element per line, for its
 * number and colours.
 */
export class TextLinesRenderer {
  readonly #host: HTMLElement;
  readonly #text: string;
  /** The number of the first line; undefined when it is unknown. */
  readonly #first: number | undefined;
  readonly #blocks: readonly TextBlock[];
  readonly #boxes = new Map<Element, TextBlock>();
  readonly #elements = new Map<TextBlock, HTMLElement>();
  readonly #laidOut = new Set<TextBlock>();
  readonly #observer: IntersectionObserver;
  readonly #matches = new MatchHighlights();
  readonly #folds: LineFolds | undefined;
  readonly #buttons: FoldButtons | undefined;
  #highlighter: Highlighter | undefined;
  #marked: LineRange | undefined;

  constructor(host: HTMLElement, text: string, { first, folds }: TextLinesOptions) {
    this.#host = host;
    this.#text = text;
    this.#first = first;
    this.#folds = folds;
    this.#buttons = folds && new FoldButtons(host, (line) => this.#toggleFold(line));
    this.#blocks = textBlocks(text);
    this.#observer = new IntersectionObserver((seen) => this.#onIntersect(seen), { rootMargin: '1000px' });
    const last = this.#blocks.at(-1);
    const count = last ? last.line + last.lines : 0;
    host.style.setProperty('--digits', String(String((first ?? 1) + count).length));
    host.replaceChildren(...this.#blocks.map((block) => this.#box(block, count <= EAGER_LINES)));
  }

  get hasLongLines(): boolean {
    return this.#blocks.some(({ continues }) => continues);
  }

  /** Highlights the blocks that are laid out and those that will be. */
  highlight(highlighter: Highlighter): void {
    this.#highlighter = highlighter;
    const render = () => this.#laidOut.forEach((block) => this.#layOut(block));
    if (this.#buttons) this.#buttons.keepFocusWhile(render);
    else render();
  }

  /** Marks lines. @param scroll whether to scroll the first one to the middle of the screen. */
  mark(range: LineRange | undefined, scroll: boolean): void {
    this.#marked = range;
    for (const line of this.#host.querySelectorAll('.line')) this.#markLine(line);
    if (!range || !scroll) return;
    const index = range.first - (this.#first ?? 1);
    const block = blockOfLine(this.#blocks, index);
    if (!block) return;
    this.#reveal(block, index);
    this.#elements.get(block)?.querySelector(`[data-line="${range.first}"]`)?.scrollIntoView({ block: 'center' });
  }

  /** Highlights matches and scrolls to the selected one. */
  showMatches(matches: TextMatches | undefined): void {
    this.#matches.setMatches(matches);
    for (const block of this.#laidOut) this.#paint(block);
    this.#host.querySelector('.found')?.classList.remove('found');
    const offset = matches?.current === undefined ? undefined : matches.offsets[matches.current];
    const block = offset === undefined ? undefined : blockAtOffset(this.#blocks, offset);
    const box = block && this.#elements.get(block);
    if (offset === undefined || !block || !box) return;
    const index = this.#text.slice(block.from, offset).split('\n').length - 1;
    this.#reveal(block, block.line + index);
    const line = box.children[index];
    line?.classList.add('found');
    line?.scrollIntoView({ block: 'center' });
    scrollSideways(this.#host, this.#matches.currentRange());
  }

  /** Folds or unfolds all lines that can be folded. */
  foldAll(isFolded: boolean): void {
    if (isFolded) this.#folds?.foldAll();
    else this.#folds?.unfoldAll();
    for (const [block, box] of this.#elements) {
      box.hidden = this.#folds?.hidesAll(block.line, block.line + block.lines - 1) === true;
      // The other blocks hide their lines when they are laid out.
      if (this.#laidOut.has(block)) this.#foldLines(block, box);
    }
  }

  destroy(): void {
    this.#observer.disconnect();
    this.#matches.destroy();
    this.#buttons?.destroy();
    this.#host.replaceChildren();
  }

  #box(block: TextBlock, eager: boolean): HTMLElement {
    const box = document.createElement('code');
    box.className = 'block plain';
    box.style.setProperty('--lines', String(block.lines));
    this.#boxes.set(box, block);
    this.#elements.set(block, box);
    if (eager) this.#layOut(block);
    else {
      box.textContent = this.#text.slice(block.from, block.to);
      this.#observer.observe(box);
    }
    return box;
  }

  #onIntersect(seen: readonly IntersectionObserverEntry[]): void {
    for (const { isIntersecting, target } of seen) {
      const block = this.#boxes.get(target);
      if (!isIntersecting || !block) continue;
      this.#observer.unobserve(target);
      if (!this.#laidOut.has(block)) this.#layOut(block);
    }
  }

  #layOut(block: TextBlock): void {
    this.#laidOut.add(block);
    const box = this.#elements.get(block);
    const lines = this.#highlighter?.lines(block.from, block.to) ?? plainLines(this.#text.slice(block.from, block.to));
    box?.replaceChildren(...lines.map((line, index) => this.#line(block, line, index)));
    box?.classList.remove('plain');
    this.#paint(block);
  }

  #paint(block: TextBlock): void {
    const box = this.#elements.get(block);
    if (box) this.#matches.paint(box, block.from, block.to);
  }

  #line(block: TextBlock, content: DocumentFragment | string, index: number): HTMLElement {
    const line = document.createElement('span');
    line.className = 'line';
    line.append(content);
    if (block.continues && index === 0) line.classList.add('continued');
    else if (this.#first !== undefined) line.dataset['line'] = String(this.#first + block.line + index);
    this.#markLine(line);
    this.#foldLine(line, block.line + index);
    return line;
  }

  #markLine(line: Element): void {
    const number = Number((line as HTMLElement).dataset['line']);
    const range = this.#marked;
    line.classList.toggle('marked', range !== undefined && number >= range.first && number <= range.last);
  }

  /** Adds the fold button, and hides the line while it is folded. */
  #foldLine(line: HTMLElement, index: number): void {
    if (!this.#folds) return;
    const isFolded = this.#folds.isFolded(index);
    line.hidden = this.#folds.isHidden(index);
    this.#buttons?.update(line, { index, isFolded, isFoldable: this.#folds.isFoldable(line.textContent ?? '') });
  }

  #toggleFold(index: number): void {
    const block = blockOfLine(this.#blocks, index);
    if (!this.#folds || !block) return;
    const before = plainLines(this.#text.slice(block.from, block.to)).slice(0, index - block.line);
    const offset = block.from + before.join('').length;
    const changed = this.#folds.unfold(index) ?? this.#folds.fold(index, offset);
    this.#updateFolds({ first: index, last: changed.last });
  }

  /** Shows or hides lines after a fold has changed. */
  #updateFolds({ first, last }: HiddenLines): void {
    for (const block of this.#blocks) {
      const end = block.line + block.lines - 1;
      if (block.line > last) return;
      if (end < first) continue;
      const box = this.#elements.get(block);
      if (!box) continue;
      box.hidden = this.#folds?.hidesAll(block.line, end) === true;
      if (box.hidden) continue;
      if (this.#laidOut.has(block)) this.#foldLines(block, box);
      else if (block.line <= first || end >= last) this.#layOut(block);
    }
  }

  #foldLines(block: TextBlock, box: HTMLElement): void {
    for (const [at, line] of [...box.children].entries()) this.#foldLine(line as HTMLElement, block.line + at);
  }

  /** Lays out a block and unfolds the lines around one of its lines. */
  #reveal(block: TextBlock, index: number): void {
    for (const opening of this.#folds?.foldsAround(index) ?? []) {
      const shown = this.#folds?.unfold(opening);
      if (shown) this.#updateFolds({ first: opening, last: shown.last });
    }
    if (!this.#laidOut.has(block)) this.#layOut(block);
  }
}

/** Scrolls a text with long lines sideways until a range is visible. */
function scrollSideways(host: HTMLElement, range: Range | undefined): void {
  if (!range) return;
  const [visible, { left, right }] = [host.getBoundingClientRect(), range.getBoundingClientRect()];
  if (left < visible.left || right > visible.right) host.scrollLeft += left - visible.left - visible.width / 2;
}

function plainLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}
