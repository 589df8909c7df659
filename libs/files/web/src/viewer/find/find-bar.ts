import {
  afterNextRender,
  Component,
  computed,
  ElementRef,
  inject,
  input,
  output,
  signal,
  viewChild,
} from '@angular/core';
import { formatNumber, Icon } from '@homeport/platform/web';
import type { FindQuery } from './match-offsets';
import type { TextSearch } from './text-search';

/** Starts a search shortly after the last change of the text to find. */
const TYPING_PAUSE_MS = 150;

/** Finds text in a file that the browser's own search cannot search as a whole. */
@Component({
  selector: 'hp-find-bar',
  imports: [Icon],
  templateUrl: './find-bar.html',
  styleUrl: './find-bar.css',
  host: { role: 'search', '(keydown.escape)': 'closed.emit(); $event.preventDefault()' },
})
export class FindBar {
  readonly search = input.required<TextSearch>();
  readonly find = output<FindQuery>();
  readonly closed = output();

  private readonly field = viewChild.required<ElementRef<HTMLInputElement>>('field');
  readonly #host = inject<ElementRef<HTMLElement>>(ElementRef).nativeElement;
  protected readonly matchCase = signal(false);
  protected readonly caseSample = 'Aa';
  #timer: ReturnType<typeof setTimeout> | undefined;

  protected readonly hasMatches = computed(() => this.search().total() > 0);
  protected readonly result = computed(() => {
    const search = this.search();
    const [total, ordinal] = [formatNumber(search.total()), search.ordinal()];
    switch (search.state()) {
      case 'idle':
        return '';
      case 'searching':
        return $localize`${total}:count: found, searching…`;
      case 'failed':
        return $localize`${total}:count: found. The rest of the file could not be searched.`;
      case 'done':
        if (search.total() === 0) return $localize`No matches`;
        return ordinal === undefined ? total : $localize`${formatNumber(ordinal)}:number: of ${total}:count:`;
    }
  });

  constructor() {
    afterNextRender(() => this.focus());
  }

  /** Focuses the field. @returns false when it has the focus already. */
  focus(): boolean {
    if (this.#host.contains(document.activeElement)) return false;
    this.field().nativeElement.focus();
    this.field().nativeElement.select();
    return true;
  }

  protected type(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#find(), TYPING_PAUSE_MS);
  }

  protected toggleCase(): void {
    this.matchCase.update((on) => !on);
    this.#find();
  }

  protected onEnter(event: Event): void {
    event.preventDefault();
    const { text } = this.search().query();
    if (text !== this.field().nativeElement.value) this.#find();
    else this.search().step((event as KeyboardEvent).shiftKey ? -1 : 1);
  }

  #find(): void {
    clearTimeout(this.#timer);
    this.find.emit({ text: this.field().nativeElement.value, matchCase: this.matchCase() });
  }
}
