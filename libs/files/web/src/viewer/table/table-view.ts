import {
  afterRenderEffect,
  Component,
  computed,
  ElementRef,
  input,
  linkedSignal,
  untracked,
  viewChild,
} from '@angular/core';
import { formatNumber, Icon } from '@homeport/platform/web';
import { visibleRange } from '../../browser/grid/row-virtualizer';
import { FillHeight } from '../../editor/fill-height';
import { FindBar } from '../find/find-bar';
import { findInText } from '../find/find-in-text';
import type { ShownFile } from '../shown-file';
import { firstAtOrAfter } from '../text/match-highlights';
import { TextLines } from '../text/text-lines';
import { cellsAt, delimitedText } from './delimited-text';
import { tableColumns } from './table-columns';

/** The height of a row in pixels, as in the style sheet. */
const ROW_HEIGHT = 32;
const SAMPLED_ROWS = 200;

/** Shows comma- or tab-separated values as a table; only the visible rows are rendered. */
@Component({
  selector: 'hp-table-view',
  imports: [FillHeight, FindBar, Icon, TextLines],
  templateUrl: './table-view.html',
  styleUrl: './table-view.css',
})
export class TableView {
  readonly file = input.required<ShownFile>();
  private readonly frame = viewChild<ElementRef<HTMLElement>>('frame');
  private readonly bar = viewChild(FindBar);

  protected readonly text = computed(() => this.file().text ?? '');
  protected readonly finding = findInText({
    text: computed(() => ({ parts: 1, read: () => Promise.resolve(this.text()) })),
    shown: computed(() => ({ number: 0, text: this.text() })),
    bar: this.bar,
    show: () => undefined,
  });
  readonly #table = computed(() => delimitedText(this.text(), /\.tsv$/i.test(this.file().name) ? '\t' : undefined));
  protected readonly fault = computed(() => {
    const line = this.#table().faultyLine;
    if (line === undefined) return undefined;
    return $localize`The quotes in line ${formatNumber(line)}:line: are not closed correctly. Showing the original text.`;
  });
  /** The number of rows below the headings. */
  protected readonly rowCount = computed(() => Math.max(0, this.#table().starts.length - 1));
  protected readonly columns = computed(() => {
    const last = Math.min(this.rowCount(), SAMPLED_ROWS);
    const sample = Array.from({ length: last }, (_, index) => this.#cells(index + 1));
    return tableColumns(this.#cells(0), sample);
  });
  /** The widths of the columns; they share the remaining space in proportion, except the row numbers. */
  protected readonly template = computed(() => {
    const [numbers = '', ...widths] = this.#widths();
    const shares = this.columns().map(({ width }) => width);
    return [`calc${numbers}`, ...widths.map((width, at) => `minmax(calc${width}, ${shares[at]}fr)`)].join(' ');
  });
  protected readonly width = computed(() => `calc(${this.#widths().join(' + ')})`);
  /** With one character to spare, because headings are bold and letters are wider than digits. */
  readonly #widths = computed(() => {
    const digits = formatNumber(this.rowCount()).length;
    return [digits, ...this.columns().map(({ width }) => width)].map((width) => `(${width + 1}ch + 24px)`);
  });
  protected readonly size = computed(() => {
    const [rows, columns] = [formatNumber(this.rowCount()), formatNumber(this.columns().length)];
    return $localize`${rows}:rows: rows, ${columns}:columns: columns`;
  });
  protected readonly height = computed(() => this.rowCount() * ROW_HEIGHT);
  readonly #range = linkedSignal({
    source: this.rowCount,
    computation: (rows) => ({ first: 0, last: Math.min(rows, 48) }),
    equal: (a, b) => a.first === b.first && a.last === b.last,
  });
  protected readonly rows = computed(() => {
    const { first, last } = this.#range();
    return Array.from({ length: last - first }, (_, at) => {
      const index = first + at;
      return { index, number: formatNumber(index + 1), top: index * ROW_HEIGHT, cells: this.#cells(index + 1) };
    });
  });

  /** The row with the selected match, from 0; -1 for the headings, undefined without a match. */
  protected readonly foundRow = computed(() => {
    const matches = this.finding.matches();
    const offset = matches?.current === undefined ? undefined : matches.offsets[matches.current];
    return offset === undefined ? undefined : firstAtOrAfter(this.#table().starts, offset + 1) - 2;
  });

  constructor() {
    afterRenderEffect(() => {
      this.rowCount();
      this.measure();
    });
    afterRenderEffect(() => {
      const row = this.foundRow();
      if (row !== undefined) untracked(() => this.#reveal(row));
    });
  }

  /** Whether a cell contains the searched text. */
  protected isFound(cell: string | undefined): boolean {
    const { text, matchCase } = this.finding.search.query();
    if (text === '' || cell === undefined) return false;
    return matchCase ? cell.includes(text) : cell.toLowerCase().includes(text.toLowerCase());
  }

  protected measure(): void {
    const frame = this.frame()?.nativeElement;
    if (!frame) return;
    const { scrollTop: top, clientHeight: height } = frame;
    this.#range.set(visibleRange({ top, height, rowHeight: ROW_HEIGHT, rows: this.rowCount() }));
  }

  /** Scrolls a row to the middle of the frame, unless it is visible. */
  #reveal(row: number): void {
    const frame = this.frame()?.nativeElement;
    if (!frame) return;
    const [top, height] = [Math.max(0, row) * ROW_HEIGHT, frame.clientHeight - ROW_HEIGHT];
    const isVisible = top >= frame.scrollTop && top + ROW_HEIGHT <= frame.scrollTop + height;
    if (!isVisible) frame.scrollTo({ top: top - height / 2 });
  }

  #cells(record: number): readonly string[] {
    const { starts, delimiter } = this.#table();
    const start = starts[record];
    return start === undefined ? [] : cellsAt(this.text(), start, delimiter);
  }
}
