import type { Highlighter } from '../code/highlighter';
import { blockOfLine, type TextBlock, textBlocks } from './text-blocks';
import type { LineRange } from './line-range';

/** In shorter texts, every line has an element from the start, so that the page does not change during a search. */
const EAGER_LINES = 4_000;

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
  #highlighter: Highlighter | undefined;
  #marked: LineRange | undefined;

  constructor(host: HTMLElement, text: string, first: number | undefined) {
    this.#host = host;
    this.#text = text;
    this.#first = first;
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
    for (const block of this.#laidOut) this.#layOut(block);
  }

  /** Marks lines. @param scroll whether to scroll the first one to the middle of the screen. */
  mark(range: LineRange | undefined, scroll: boolean): void {
    this.#marked = range;
    for (const line of this.#host.querySelectorAll('.line')) this.#markLine(line);
    if (!range || !scroll) return;
    const block = blockOfLine(this.#blocks, range.first - (this.#first ?? 1));
    if (!block) return;
    if (!this.#laidOut.has(block)) this.#layOut(block);
    this.#elements.get(block)?.querySelector(`[data-line="${range.first}"]`)?.scrollIntoView({ block: 'center' });
  }

  destroy(): void {
    this.#observer.disconnect();
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
  }

  #line(block: TextBlock, content: DocumentFragment | string, index: number): HTMLElement {
    const line = document.createElement('span');
    line.className = 'line';
    line.append(content);
    if (block.continues && index === 0) line.classList.add('continued');
    else if (this.#first !== undefined) line.dataset['line'] = String(this.#first + block.line + index);
    this.#markLine(line);
    return line;
  }

  #markLine(line: Element): void {
    const number = Number((line as HTMLElement).dataset['line']);
    const range = this.#marked;
    line.classList.toggle('marked', range !== undefined && number >= range.first && number <= range.last);
  }
}

function plainLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}
