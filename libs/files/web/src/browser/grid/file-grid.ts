import { CdkMenu, CdkMenuItem, CdkMenuTrigger } from '@angular/cdk/menu';
import {
  afterNextRender,
  afterRenderEffect,
  Component,
  computed,
  ElementRef,
  inject,
  Injector,
  input,
  linkedSignal,
  model,
  output,
  signal,
  untracked,
  viewChild,
} from '@angular/core';
import { RouterLink } from '@angular/router';
import { fileIconName, fileSize, formatNumber, Icon, RelativeTime } from '@homeport/platform/web';
import { OfflineFiles } from '../../offline/offline-files';
import { directoryLink, viewLink } from '../../tree/file-links';
import { SORT_FIELDS, type SortField, sortParameter, type SortOrder } from '../../tree/sort-rows';
import { mediaQuery } from '../media-query';
import { rowAfterKey, TypeAhead } from './grid-keys';
import { watchPointer } from './grid-pointer';
import { RowVirtualizer } from './row-virtualizer';
import type { BrowserRow } from './rows';
import { type RowSlots, recycleSlots } from './row-recycler';
import { NOTHING_SELECTED, type Selection, selectionAfter, type SelectionChange } from './selection';

/** The actions of a row, by its menu or a key. */
export type RowAction = 'download' | 'keep' | 'copy-link' | 'rename' | 'move' | 'delete';

const ACTION_KEYS: Readonly<Record<string, RowAction>> = { F2: 'rename', Delete: 'delete' };
/** The focusable parts of a row, from left to right. */
const PARTS = ['.check input', '.name a', '.actions button'] as const;
const NAME_PART = 1;

/** The directories and files of one directory as a grid; only the visible rows are rendered. */
@Component({
  selector: 'hp-file-grid',
  imports: [CdkMenu, CdkMenuItem, CdkMenuTrigger, Icon, RelativeTime, RouterLink],
  templateUrl: './file-grid.html',
  styleUrls: ['./file-grid.css', '../menu.css'],
  host: { '(keydown)': 'onKeydown($event)', '(focusin)': 'onFocusin($event)' },
})
export class FileGrid {
  readonly #injector = inject(Injector);
  readonly #host = inject<ElementRef<HTMLElement>>(ElementRef).nativeElement;
  protected readonly offline = inject(OfflineFiles);
  readonly lines = input.required<readonly BrowserRow[]>();
  readonly label = input.required<string>();
  readonly order = model.required<SortOrder>();
  readonly selection = model.required<Selection>();
  /** Pixels at the top of the window that are covered by other elements. */
  readonly covered = input(0);
  readonly act = output<{ readonly action: RowAction; readonly line: BrowserRow }>();
  /** Opens the parent directory. */
  readonly leave = output();

  private readonly body = viewChild.required<ElementRef<HTMLElement>>('body');
  readonly #isTall = mediaQuery('(pointer: coarse), (max-width: 639px)');
  protected readonly number = formatNumber;
  protected readonly rowHeight = computed(() => (this.#isTall() ? 56 : 40));
  readonly #virtualizer = new RowVirtualizer({
    body: () => this.body().nativeElement,
    rowHeight: this.rowHeight,
    rows: () => untracked(this.lines).length,
  });
  readonly #typeAhead = new TypeAhead();
  /** The id of the row that Tab focuses. */
  readonly #current = signal<string | undefined>(undefined);
  protected readonly part = signal(NAME_PART);
  protected readonly currentIndex = linkedSignal<number>(() => {
    const at = this.lines().findIndex(({ id }) => id === this.#current());
    return Math.max(0, at);
  });
  /** The row whose menu is open. The trigger's data cannot be used: it is read once, but elements are reused. */
  protected readonly menuRow = signal<GridRow | undefined>(undefined);
  protected readonly selecting = computed(() => this.selection().ids.size > 0);
  protected readonly allSelected = computed(
    () => this.selecting() && this.selection().ids.size === this.lines().length,
  );
  protected readonly query = computed(() => {
    const sort = sortParameter(this.order());
    return sort ? { sort } : {};
  });
  protected readonly columns = computed(() => {
    const { field, descending } = this.order();
    const labels = { name: $localize`Name`, modified: $localize`Modified`, size: $localize`Size` };
    return SORT_FIELDS.map((each) => ({
      field: each,
      label: labels[each],
      sort: each !== field ? null : descending ? 'descending' : 'ascending',
    }));
  });
  readonly #visibleRows = computed(() => {
    const lines = this.lines();
    const { first, last } = this.#virtualizer.range();
    const indices = Array.from({ length: Math.max(0, Math.min(last, lines.length) - first) }, (_, at) => first + at);
    const current = this.currentIndex();
    // The current row stays rendered outside the visible range, so that it keeps the focus.
    if (current < first) indices.unshift(current);
    else if (current >= last) indices.push(current);
    return indices.flatMap((index) => {
      const line = lines[index];
      return line ? [toGridRow(line, index)] : [];
    });
  });
  readonly #slots = linkedSignal<readonly string[], RowSlots>({
    source: () => this.#visibleRows().map(({ line }) => line.id),
    computation: (ids, previous) => recycleSlots(ids, previous?.value ?? new Map()),
  });
  /** Sorted by slot, so that elements never move in the page: moving an element removes its focus. */
  protected readonly drawn = computed(() => {
    const slots = this.#slots();
    return this.#visibleRows()
      .map((row) => ({ ...row, slot: slots.get(row.line.id) ?? 0 }))
      .sort((a, b) => a.slot - b.slot);
  });

  constructor() {
    afterRenderEffect(() => {
      this.lines();
      this.rowHeight();
      untracked(() => this.#virtualizer.measure());
    });
    watchPointer(this.#host, {
      isSelecting: () => this.selecting(),
      toggle: (index) => this.#change(index, 'toggle'),
      extend: (index) => this.#change(index, 'extend'),
    });
  }

  /** Scrolls to a row and focuses it; does nothing when the row does not exist. */
  focusLine(id: string): void {
    const index = this.lines().findIndex((line) => line.id === id);
    if (index !== -1) this.#focus(index);
  }

  /** @returns the row to focus after these rows are removed: the next remaining one, or the one before. */
  neighbourOf(removed: ReadonlySet<string>): string | undefined {
    const lines = this.lines();
    const first = lines.findIndex(({ id }) => removed.has(id));
    return (lines.find(({ id }, index) => index > first && !removed.has(id)) ?? lines[first - 1])?.id;
  }

  protected toggle(index: number): void {
    this.#change(index, 'toggle');
  }

  protected toggleAll(): void {
    this.select(this.allSelected() ? { kind: 'clear' } : { kind: 'all', order: this.#ids() });
  }

  protected sortBy(field: SortField): void {
    const { field: current, descending } = this.order();
    // Dates and sizes sort descending first, because users mostly look for the newest or the largest files.
    this.order.set({ field, descending: field === current ? !descending : field !== 'name' });
  }

  protected onFocusin({ target }: FocusEvent): void {
    const index = indexOf(target);
    const line = index === undefined ? undefined : this.lines()[index];
    if (!line) return;
    this.#current.set(line.id);
    this.part.set(
      Math.max(
        0,
        PARTS.findIndex((part) => (target as Element).matches(part)),
      ),
    );
  }

  protected onKeydown(event: KeyboardEvent): void {
    const at = indexOf(event.target);
    if (at === undefined || event.altKey || event.defaultPrevented) return;
    if (this.#move(event, at) || this.#selectBy(event, at) || this.#actBy(event, at)) event.preventDefault();
  }

  protected select(change: SelectionChange): void {
    this.selection.update((selection) => selectionAfter(selection, change));
  }

  #move({ key, shiftKey, ctrlKey, metaKey }: KeyboardEvent, at: number): boolean {
    if (key === 'ArrowLeft' || key === 'ArrowRight') {
      this.part.update((part) => Math.min(PARTS.length - 1, Math.max(0, part + (key === 'ArrowLeft' ? -1 : 1))));
      this.#focus(at);
      return true;
    }
    const to = rowAfterKey(key, at, { rows: this.lines().length, page: this.#virtualizer.pageRows() });
    if (to === undefined || ((ctrlKey || metaKey) && !['Home', 'End'].includes(key))) return false;
    if (shiftKey) this.#change(to, 'extend', at);
    this.#focus(to);
    return true;
  }

  #selectBy({ key, target, ctrlKey, metaKey }: KeyboardEvent, at: number): boolean {
    if (key === ' ') {
      // On the menu button, Space opens the menu.
      if ((target as Element).closest('.actions')) return false;
      this.#change(at, 'toggle');
    } else if (key === 'a' && (ctrlKey || metaKey)) this.select({ kind: 'all', order: this.#ids() });
    else if (key === 'Escape' && this.selecting()) this.selection.set(NOTHING_SELECTED);
    else return false;
    return true;
  }

  #actBy({ key, ctrlKey, metaKey }: KeyboardEvent, at: number): boolean {
    const line = this.lines()[at];
    if (!line || ctrlKey || metaKey) return false;
    const action = ACTION_KEYS[key];
    if (action) this.act.emit({ action, line });
    else if (key === 'Backspace') this.leave.emit();
    else {
      if (key.length !== 1) return false;
      const found = this.#typeAhead.find(key, this.lines(), at, performance.now());
      if (found !== undefined) this.#focus(found);
    }
    return true;
  }

  #change(index: number, kind: 'toggle' | 'extend', from?: number): void {
    const line = this.lines()[index];
    if (!line) return;
    const start = from === undefined ? undefined : this.lines()[from]?.id;
    this.#current.set(line.id);
    if (kind === 'toggle') this.select({ kind, id: line.id });
    else this.select({ kind, id: line.id, order: this.#ids(), ...(start !== undefined && { from: start }) });
  }

  #ids(): readonly string[] {
    return this.lines().map(({ id }) => id);
  }

  #focus(index: number): void {
    const tabs = Number.parseFloat(getComputedStyle(this.#host).getPropertyValue('--tabs-height')) || 0;
    this.#current.set(this.lines()[index]?.id);
    this.currentIndex.set(index);
    this.#virtualizer.reveal(index, { top: this.covered() + 40, bottom: tabs + 8 });
    const read = (): void => {
      const row = this.#host.querySelector(`[data-index="${index}"]`);
      row?.querySelector<HTMLElement>(PARTS[this.part()] ?? PARTS[NAME_PART])?.focus({ preventScroll: true });
    };
    afterNextRender({ read }, { injector: this.#injector });
  }
}

function indexOf(target: EventTarget | null): number | undefined {
  const row = target instanceof Element ? target.closest('[data-index]') : null;
  return row ? Number(row.getAttribute('data-index')) : undefined;
}

type GridRow = ReturnType<typeof toGridRow>;

function toGridRow(line: BrowserRow, index: number) {
  const { directory, entry, name } = line;
  const labels = { selectLabel: $localize`Select ${name}:name:`, actionsLabel: $localize`Actions for ${name}:name:` };
  return entry
    ? {
        ...labels,
        ...{ line, index, isDirectory: false, icon: fileIconName(line.name), link: viewLink(entry.key) },
        ...{ modifiedAt: entry.modified_at, size: fileSize(entry.size), key: line.isDuplicate ? entry.key : undefined },
        files: 0,
      }
    : {
        ...labels,
        ...{ line, index, isDirectory: true, icon: 'folder' as const, link: directoryLink(directory.path) },
        ...{ modifiedAt: directory.modifiedAt, size: fileSize(directory.bytes), key: undefined },
        files: directory.files,
      };
}
