import { CdkContextMenuTrigger, CdkMenuTrigger } from '@angular/cdk/menu';
import {
  Component,
  computed,
  effect,
  ElementRef,
  inject,
  input,
  model,
  output,
  signal,
  viewChild,
} from '@angular/core';
import { RouterLink } from '@angular/router';
import { Connection, formatNumber, Icon, RelativeTime } from '@homeport/platform/web';
import { UnsavedMark } from '../../drafts/unsaved-mark';
import { OfflineFiles } from '../../offline/offline-files';
import { type SortField, sortParameter, type SortOrder } from '../../tree/sort-rows';
import { Thumbnails } from '../thumbnails/thumbnails';
import { freshRows } from './fresh-rows';
import { gridColumns, nextSortOrder } from './grid-columns';
import { ACTIONS_PART, CHECK_PART, GridFocus, NAME_PART, rowIndexOf } from './grid-focus';
import { rowAfterKey, TypeAhead } from './grid-keys';
import { watchPointer } from './grid-pointer';
import type { GridRow } from './grid-row';
import { RenderedRows } from './rendered-rows';
import { type RowAction, RowMenu } from './row-menu';
import type { BrowserRow } from './rows';
import { NOTHING_SELECTED, type Selection, selectionAfter, type SelectionChange } from './selection';

export interface RowActionEvent {
  readonly action: RowAction;
  readonly row: BrowserRow;
}

const ACTION_KEYS: Readonly<Record<string, RowAction>> = { F2: 'rename', Delete: 'delete' };

/** The directories and files of one directory as a grid; only the visible rows are rendered. */
@Component({
  selector: 'hp-file-grid',
  imports: [CdkContextMenuTrigger, CdkMenuTrigger, Icon, RelativeTime, RouterLink, RowMenu, UnsavedMark],
  templateUrl: './file-grid.html',
  styleUrl: './file-grid.css',
  host: {
    '(keydown)': 'onKeydown($event)',
    '(focusin)': 'focus.follow($event)',
    '(pointerover)': 'showWholeName($event)',
  },
})
export class FileGrid {
  readonly #host = inject<ElementRef<HTMLElement>>(ElementRef).nativeElement;
  readonly #connection = inject(Connection);
  readonly #offline = inject(OfflineFiles);
  protected readonly thumbnails = inject(Thumbnails);
  protected readonly fresh = freshRows();
  readonly rows = input.required<readonly BrowserRow[]>();
  readonly label = input.required<string>();
  readonly order = model.required<SortOrder>();
  readonly selection = model.required<Selection>();
  /** Whether rows are being selected although none is selected yet. */
  readonly selectionMode = model(false);
  /** Pixels at the top of the window that are covered by other elements. */
  readonly coveredTop = input(0);
  /** The rows that are being dragged. */
  readonly dragged = input<readonly BrowserRow[]>();
  protected readonly draggedIds = computed(() => new Set(this.dragged()?.map(({ id }) => id)));
  readonly rowAction = output<RowActionEvent>();
  /** Requests the parent directory. */
  readonly openParent = output();

  private readonly body = viewChild.required<ElementRef<HTMLElement>>('body');
  protected readonly number = formatNumber;
  protected readonly parts = { check: CHECK_PART, name: NAME_PART, actions: ACTIONS_PART };
  protected readonly focus = new GridFocus({
    host: this.#host,
    rows: this.rows,
    reveal: (index) => this.rendered.reveal(index),
  });
  protected readonly rendered = new RenderedRows({
    rows: this.rows,
    currentIndex: this.focus.currentIndex,
    body: () => this.body(),
    coveredTop: this.coveredTop,
  });
  protected readonly renderedRows = this.rendered.rows;
  readonly #typeAhead = new TypeAhead();
  /** The row whose menu is open. The trigger's data cannot be used: it is read once, but elements are reused. */
  protected readonly menuRow = signal<GridRow | undefined>(undefined);
  /** The menu of a selected row acts on all selected rows. */
  protected readonly menuCount = computed(() => {
    const { ids } = this.selection();
    return ids.has(this.menuRow()?.row.id ?? '') ? ids.size : 1;
  });
  protected readonly selecting = computed(() => this.selectionMode() || this.selection().ids.size > 0);
  protected readonly allSelected = computed(
    () => this.rows().length > 0 && this.selection().ids.size === this.rows().length,
  );
  protected readonly query = computed(() => {
    const sort = sortParameter(this.order());
    return sort ? { sort } : {};
  });
  protected readonly columns = computed(() => gridColumns(this.order()));

  constructor() {
    effect(() => this.thumbnails.show(this.renderedRows().flatMap(({ row }) => row.entry ?? [])));
    watchPointer(this.#host, {
      isSelecting: () => this.selecting(),
      toggle: (index) => this.toggle(index),
      extend: (index) => this.#extend(index),
      open: (index) => this.#host.querySelector<HTMLElement>(`[data-index="${index}"] .name a`)?.click(),
    });
  }

  /** Whether to mark a file as available offline: one that is kept, and without a connection also a recently viewed one. */
  protected isOffline(key: string): boolean {
    return this.#offline.isPinned(key) || (this.#connection.state() !== 'connected' && this.#offline.has(key));
  }

  /** Scrolls to a row and focuses it; does nothing when the row does not exist. */
  focusRow(id: string): void {
    this.focus.focusRow(id);
  }

  /** @returns the row to focus after these rows are removed: the next remaining one, or the one before. */
  neighbourOf(removed: ReadonlySet<string>): string | undefined {
    const rows = this.rows();
    const first = rows.findIndex(({ id }) => removed.has(id));
    return (rows.find(({ id }, index) => index > first && !removed.has(id)) ?? rows[first - 1])?.id;
  }

  protected toggle(index: number): void {
    const row = this.rows()[index];
    if (!row) return;
    this.focus.setCurrent(row.id);
    this.#select({ kind: 'toggle', id: row.id });
  }

  protected toggleAll(): void {
    this.#select(this.allSelected() ? { kind: 'clear' } : { kind: 'all', order: this.#ids() });
  }

  protected sortBy(field: SortField): void {
    this.order.update((order) => nextSortOrder(order, field));
  }

  /** Shows the whole name in a tooltip when it is truncated. */
  protected showWholeName({ target }: Event): void {
    const link = (target as Element).closest<HTMLElement>('.name a');
    const stem = link?.querySelector('.stem');
    if (link && stem) link.title = stem.scrollWidth > stem.clientWidth ? (link.ariaLabel ?? '') : '';
  }

  protected onKeydown(event: KeyboardEvent): void {
    const at = rowIndexOf(event.target);
    if (at === undefined || event.altKey || event.defaultPrevented) return;
    if (this.#moveFocus(event, at) || this.#changeSelection(event, at) || this.#runAction(event, at))
      event.preventDefault();
  }

  #moveFocus({ key, shiftKey, ctrlKey, metaKey }: KeyboardEvent, at: number): boolean {
    if (key === 'ArrowLeft' || key === 'ArrowRight') {
      this.focus.movePart(at, key === 'ArrowLeft' ? -1 : 1);
      return true;
    }
    const to = rowAfterKey(key, at, { rows: this.rows().length, page: this.rendered.pageRows() });
    if (to === undefined || ((ctrlKey || metaKey) && !['Home', 'End'].includes(key))) return false;
    if (shiftKey) this.#extend(to, at);
    this.focus.focusIndex(to);
    return true;
  }

  #changeSelection({ key, target, ctrlKey, metaKey }: KeyboardEvent, at: number): boolean {
    if (key === ' ') {
      // On the menu button, Space opens the menu.
      if ((target as Element).closest('.actions')) return false;
      this.toggle(at);
    } else if (key === 'a' && (ctrlKey || metaKey)) this.#select({ kind: 'all', order: this.#ids() });
    else if (key === 'Escape' && this.selecting()) {
      this.selection.set(NOTHING_SELECTED);
      this.selectionMode.set(false);
    } else return false;
    return true;
  }

  #runAction({ key, ctrlKey, metaKey }: KeyboardEvent, at: number): boolean {
    const row = this.rows()[at];
    if (!row || ctrlKey || metaKey) return false;
    const action = ACTION_KEYS[key];
    if (action) this.rowAction.emit({ action, row });
    else if (key === 'Backspace') this.openParent.emit();
    else {
      // The search and the help have these keys on every page.
      if (key.length !== 1 || key === '/' || key === '?') return false;
      const found = this.#typeAhead.find(key, this.rows(), at, performance.now());
      if (found !== undefined) this.focus.focusIndex(found);
    }
    return true;
  }

  /** Selects up to a row; without an earlier selection, the range begins at the row `from`. */
  #extend(index: number, from?: number): void {
    const row = this.rows()[index];
    if (!row) return;
    const start = from === undefined ? undefined : this.rows()[from]?.id;
    this.focus.setCurrent(row.id);
    this.#select({ kind: 'extend', id: row.id, order: this.#ids(), ...(start !== undefined && { from: start }) });
  }

  #select(change: SelectionChange): void {
    this.selection.update((selection) => selectionAfter(selection, change));
  }

  #ids(): readonly string[] {
    return this.rows().map(({ id }) => id);
  }
}
