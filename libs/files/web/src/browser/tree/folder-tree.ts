import {
  afterNextRender,
  Component,
  computed,
  effect,
  ElementRef,
  inject,
  Injector,
  input,
  linkedSignal,
  output,
  signal,
  untracked,
  viewChild,
} from '@angular/core';
import { type Params, RouterLink } from '@angular/router';
import { Icon } from '@homeport/platform/web';
import { FileIndex } from '../../client/file-index';
import { EmptyFolders } from '../../folders/empty-folders';
import { namesByParent } from '../../folders/folder-paths';
import { directoryLink } from '../../tree/file-links';
import { SortedFiles } from '../../tree/sorted-files';
import { TypeAhead } from '../grid/grid-keys';
import { visibleRange } from '../grid/row-virtualizer';
import { FolderTreeState } from './folder-tree-state';
import { TreeLevels } from './tree-levels';
import { type TreeRow, treeRows, treeStep } from './tree-rows';

const ROW_HEIGHT = 32;
/** How long files are dragged over a collapsed folder before it expands. */
const EXPAND_DELAY_MS = 700;

/**
 * The folders of the workspace as a tree. The levels come from the index, so that they need no requests; only the visible
 * rows are rendered, which the CDK's tree cannot.
 */
@Component({
  selector: 'hp-folder-tree',
  imports: [Icon, RouterLink],
  templateUrl: './folder-tree.html',
  styleUrl: './folder-tree.css',
  host: { '(window:resize)': 'measure()' },
})
export class FolderTree {
  readonly #index = inject(FileIndex);
  readonly #emptyFolders = inject(EmptyFolders);
  readonly #state = inject(FolderTreeState);
  readonly #injector = inject(Injector);
  /** The display path of the open folder. */
  readonly path = input.required<string>();
  /** Folders that exist although the index may not have them yet. */
  readonly known = input<readonly string[]>([]);
  /** The folder that files are dragged over. */
  readonly dragOver = input<string>();
  readonly query = input<Params>();
  readonly hide = output();

  private readonly scroller = viewChild.required<ElementRef<HTMLElement>>('scroller');
  readonly #scroll = signal({ top: 0, height: 800 });
  readonly #typeAhead = new TypeAhead();
  protected readonly rowHeight = ROW_HEIGHT;
  readonly #levels = computed(() => new TreeLevels(this.#index.files() ?? SortedFiles.empty));
  readonly #rows = computed(() => {
    const levels = this.#levels();
    const others = namesByParent([...this.#emptyFolders.paths(), ...this.known()]);
    const expanded = this.#state.expanded();
    const [root, ...rows] = treeRows({
      children: (path) => levels.children(path, others.get(path)),
      hasChildren: (path) => others.has(path) || levels.hasChildren(path),
      isExpanded: (path) => expanded.has(path),
    });
    return root ? [{ ...root, name: $localize`Files` }, ...rows] : rows;
  });
  protected readonly height = computed(() => this.#rows().length * ROW_HEIGHT);
  /** The folder that Tab focuses: the open one, until another one is focused. */
  readonly #current = linkedSignal(() => this.path());
  readonly #currentIndex = computed(() => Math.max(0, this.#indexOf(this.#current())));
  readonly #range = computed(
    () => visibleRange({ ...this.#scroll(), rowHeight: ROW_HEIGHT, rows: this.#rows().length }),
    { equal: (a, b) => a.first === b.first && a.last === b.last },
  );
  protected readonly shown = computed(() => {
    const rows = this.#rows();
    const { first, last } = this.#range();
    const current = this.#currentIndex();
    const indices = Array.from({ length: Math.max(0, last - first) }, (_, at) => first + at);
    if (current < first) indices.unshift(current);
    else if (current >= last) indices.push(current);
    return indices.flatMap((index) => {
      const row = rows[index];
      return row ? [{ ...row, index, link: directoryLink(row.path), isOpen: row.path === this.path() }] : [];
    });
  });

  constructor() {
    // In the capture phase, before the link opens the folder.
    const host = inject<ElementRef<HTMLElement>>(ElementRef).nativeElement;
    host.addEventListener('click', (event) => this.#toggleByArrow(event), { capture: true });
    effect(() => {
      const path = this.path();
      untracked(() => this.#state.reveal(path));
    });
    // Also when the index is loaded, which may add many folders above the open one.
    const isLoaded = computed(() => this.#index.files() !== undefined);
    const isListed = computed(() => this.#indexOf(this.path()) !== -1);
    effect(() => {
      const [path] = [this.path(), isLoaded(), isListed()];
      afterNextRender({ read: () => this.#scrollTo(this.#indexOf(path)) }, { injector: this.#injector });
    });
    effect((onCleanup) => {
      const path = this.dragOver();
      const row = untracked(() => (path === undefined ? undefined : this.#rows()[this.#indexOf(path)]));
      if (path === undefined || row?.isExpanded !== false) return;
      const timer = setTimeout(() => this.#state.expand(path), EXPAND_DELAY_MS);
      onCleanup(() => clearTimeout(timer));
    });
  }

  protected tabIndex(index: number): 0 | -1 {
    return index === this.#currentIndex() ? 0 : -1;
  }

  protected measure(): void {
    const { scrollTop: top, clientHeight: height } = this.scroller().nativeElement;
    this.#scroll.set({ top, height });
  }

  /** Opening a folder shows the folders in it. */
  protected opened({ path, isExpanded }: TreeRow): void {
    if (isExpanded === false) this.#state.expand(path);
  }

  /** Expands or collapses a folder by its arrow, which is inside the link. */
  #toggleByArrow(event: Event): void {
    const link = (event.target as Element).closest('.toggle')?.closest<HTMLElement>('[data-tree-row]');
    const row = link && this.#rows()[Number(link.dataset['treeRow'])];
    if (!row) return;
    event.preventDefault();
    event.stopPropagation();
    this.#setExpanded(row.path, !row.isExpanded);
  }

  protected onKeydown(event: KeyboardEvent, at: number): void {
    const { key } = event;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = treeStep(key, this.#rows(), at);
    if (!step && (key.length !== 1 || key === '/' || key === '?')) return;
    event.preventDefault();
    if (!step) {
      const found = this.#typeAhead.find(key, this.#rows(), at, performance.now());
      if (found !== undefined) this.#focus(found);
    } else if ('focus' in step) this.#focus(step.focus);
    else if ('expand' in step) this.#setExpanded(step.expand, true);
    else this.#setExpanded(step.collapse, false);
  }

  protected follow(path: string): void {
    this.#current.set(path);
  }

  #setExpanded(path: string, isExpanded: boolean): void {
    if (isExpanded) this.#state.expand(path);
    else this.#state.collapse(path);
  }

  #indexOf(path: string): number {
    return this.#rows().findIndex((row) => row.path === path);
  }

  #focus(index: number): void {
    this.#current.set(this.#rows()[index]?.path ?? '');
    this.#scrollTo(index);
    const read = (): void =>
      this.scroller().nativeElement.querySelector<HTMLElement>(`[data-tree-row="${index}"]`)?.focus({
        preventScroll: true,
      });
    afterNextRender({ read }, { injector: this.#injector });
  }

  /** Scrolls as little as needed to make a row visible. */
  #scrollTo(index: number): void {
    const { nativeElement: element } = this.scroller();
    const [top, bottom] = [Math.max(0, index) * ROW_HEIGHT, (index + 1) * ROW_HEIGHT];
    if (top < element.scrollTop) element.scrollTop = top;
    else if (bottom > element.scrollTop + element.clientHeight) element.scrollTop = bottom - element.clientHeight;
    this.measure();
  }
}
