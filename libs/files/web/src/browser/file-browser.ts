import { OverlayContainer } from '@angular/cdk/overlay';
import {
  afterNextRender,
  Component,
  computed,
  DestroyRef,
  effect,
  type ElementRef,
  inject,
  Injector,
  linkedSignal,
  signal,
  untracked,
  viewChild,
} from '@angular/core';
import { toSignal } from '@angular/core/rxjs-interop';
import { ActivatedRoute, Router, RouterLink } from '@angular/router';
import {
  DropZone,
  EmptyState,
  ErrorPanel,
  formatNumber,
  Icon,
  pageBreadcrumbs,
  type PickedFile,
  Skeleton,
  StaleNotice,
} from '@homeport/platform/web';
import { FileIndex } from '../client/file-index';
import { OfflineBanner } from '../offline/offline-banner';
import { directoryLink, pathFromSegments } from '../tree/file-links';
import { breadcrumbsTo, nameOf, listDirectory, parentOf, displayDirectory } from '../tree/file-tree';
import { collationKey } from '../tree/name-collation';
import { parseSortOrder, sortParameter, sortRows } from '../tree/sort-rows';
import { Uploads } from '../uploads/uploads';
import { type QueryAction, runQueryAction } from './query-action';
import { FileGrid, type RowAction } from './grid/file-grid';
import { type BrowserRow, browserRowsOf, filterRows } from './grid/rows';
import { NOTHING_SELECTED, selectionAfter } from './grid/selection';
import { InlineOverlayContainer } from './inline-overlay-container';
import { PasteZone } from './paste-zone';
import { DirectoryScrollRestoration } from './directory-scroll-restoration';
import { SelectionBar } from './selection-bar';
import { UploadMenu } from './upload-menu';
import { FileActions } from './actions/file-actions';

/** How long after the last change of the filter or sort order the URL is updated. */
const URL_UPDATE_DELAY_MS = 250;

/** A directory of the workspace, rebuilt from the flat keys. */
@Component({
  selector: 'hp-file-browser',
  imports: [
    OfflineBanner,
    DropZone,
    EmptyState,
    ErrorPanel,
    FileGrid,
    Icon,
    PasteZone,
    RouterLink,
    SelectionBar,
    Skeleton,
    StaleNotice,
    UploadMenu,
  ],
  templateUrl: './file-browser.html',
  styleUrl: './file-browser.css',
  providers: [{ provide: OverlayContainer, useClass: InlineOverlayContainer }],
})
export class FileBrowser {
  readonly #actions = inject(FileActions);
  readonly #destroyRef = inject(DestroyRef);
  readonly #injector = inject(Injector);
  readonly #scrollRestoration = inject(DirectoryScrollRestoration);
  readonly #route = inject(ActivatedRoute);
  readonly #router = inject(Router);
  readonly #uploads = inject(Uploads);
  readonly #segments = toSignal(this.#route.url, { initialValue: [] });
  readonly #query = toSignal(this.#route.queryParamMap);
  protected readonly number = formatNumber;
  protected readonly index = inject(FileIndex);
  private readonly grid = viewChild(FileGrid);
  private readonly uploadMenu = viewChild.required(UploadMenu);
  private readonly title = viewChild.required<ElementRef<HTMLElement>>('title');
  private readonly bar = viewChild<ElementRef<HTMLElement>>('bar');

  protected readonly path = computed(() => displayDirectory(pathFromSegments(this.#segments())));
  protected readonly heading = computed(() => nameOf(this.path()) || $localize`Files`);
  protected readonly parentLink = computed(() => directoryLink(parentOf(this.path())));
  protected readonly order = linkedSignal(() => parseSortOrder(this.#query()?.get('sort')));
  protected readonly filter = linkedSignal(() => this.#query()?.get('filter') ?? '');
  protected readonly query = computed(() => ({ sort: sortParameter(this.order()) }));
  readonly #directory = computed(() => {
    const files = this.index.files();
    return files && listDirectory(files, this.path());
  });
  /** All rows of the directory in sort order; undefined until they are loaded. */
  readonly #allRows = computed(() => {
    const directory = this.#directory();
    return directory && browserRowsOf(sortRows(directory, this.order()));
  });
  protected readonly count = computed(() => this.#allRows()?.length);
  protected readonly lines = computed(() => filterRows(this.#allRows() ?? [], this.filter()));
  protected readonly selection = signal(NOTHING_SELECTED);
  protected readonly selected = computed(() => {
    const { ids } = this.selection();
    return ids.size === 0 ? [] : this.lines().filter(({ id }) => ids.has(id));
  });
  protected readonly covered = signal(0);

  constructor() {
    this.index.refresh();
    // Warm up while the list loads: the first collation key takes as long as those of all rows of a screen.
    setTimeout(() => collationKey(''));
    pageBreadcrumbs(() => [
      { label: $localize`Files`, ...(this.path() && { link: ['/files'] }) },
      ...breadcrumbsTo(this.path()).map(({ name, path }) => ({
        label: name,
        ...(path !== this.path() && { link: directoryLink(path) }),
      })),
    ]);
    effect(() => {
      this.path();
      untracked(() => this.selection.set(NOTHING_SELECTED));
    });
    effect(() => {
      const lines = this.lines();
      untracked(() => {
        if (this.selection().ids.size === 0) return;
        const existing = new Set(lines.map(({ id }) => id));
        this.selection.update((selection) => selectionAfter(selection, { kind: 'keep', existing }));
      });
    });
    effect((onCleanup) => {
      const parameters = { sort: sortParameter(this.order()), filter: this.filter() || undefined };
      const timer = setTimeout(() => this.#updateUrl(parameters), URL_UPDATE_DELAY_MS);
      onCleanup(() => clearTimeout(timer));
    });
    this.#restorePositionAfterRender();
    runQueryAction(
      () => this.count() !== undefined,
      (action) => this.#runAction(action),
    );
  }

  protected upload(picked: readonly PickedFile[]): void {
    if (picked.length > 0) void this.#uploads.add(picked, this.path());
  }

  protected newFile(): void {
    void this.#actions.newFile(this.path());
  }

  protected act({ action, line }: { readonly action: RowAction; readonly line: BrowserRow }): void {
    const isSelected = this.selection().ids.has(line.id);
    const lines = isSelected && (action === 'delete' || action === 'move') ? this.selected() : [line];
    if (action === 'rename') void this.#actions.rename(line);
    else if (action === 'copy-link') this.#actions.copyLink(line);
    else if (action === 'download') void this.#actions.download(lines);
    else if (action === 'keep') void this.#actions.toggleOfflinePin(line);
    else if (action === 'move') void this.#actions.move(lines);
    else void this.remove(lines);
  }

  protected moveSelected(): void {
    void this.#actions.move(this.selected());
  }

  protected downloadSelected(): void {
    void this.#actions.download(this.selected());
  }

  protected async remove(lines: readonly BrowserRow[]): Promise<void> {
    const ids = lines.map(({ id }) => id);
    const next = this.grid()?.neighbourOf(new Set(ids));
    if (await this.#actions.delete(lines, () => this.#focusAfterRender(ids[0]))) this.#focusAfterRender(next);
  }

  protected clearSelection(): void {
    this.selection.set(NOTHING_SELECTED);
  }

  protected leave(): void {
    if (this.path()) void this.#router.navigate([...this.parentLink()], { queryParams: this.query() });
  }

  /** Focuses a row once it is rendered, or the heading when the row does not exist. */
  #focusAfterRender(line: string | undefined): void {
    if (this.#destroyRef.destroyed) return;
    const read = (): void => {
      const grid = this.lines().some(({ id }) => id === line) ? this.grid() : undefined;
      if (grid && line !== undefined) grid.focusLine(line);
      else this.title().nativeElement.focus();
    };
    afterNextRender({ read }, { injector: this.#injector });
  }

  #runAction(action: QueryAction): void {
    if (action === 'new-file') this.newFile();
    // Browsers open the file chooser only after a user gesture on the page, so the menu is opened instead.
    else this.uploadMenu().open();
  }

  /** Writes the sort order and the filter to the URL, so that returning to it restores them. */
  #updateUrl(queryParams: { readonly sort: string | undefined; readonly filter: string | undefined }): void {
    const { sort, filter } = queryParams;
    const query = this.#query();
    if ((query?.get('sort') ?? undefined) === sort && (query?.get('filter') ?? undefined) === filter) return;
    void this.#router.navigate([], { relativeTo: this.#route, queryParams, replaceUrl: true });
  }

  /** Restores the previous position once the rows of a directory are rendered. */
  #restorePositionAfterRender(): void {
    let restoredPath: string | undefined;
    effect(() => {
      const path = this.path();
      const isLoaded = this.count() !== undefined;
      const bar = this.bar();
      if (!isLoaded || restoredPath === path || !bar) return;
      restoredPath = path;
      untracked(() => {
        const { scroll, line } = this.#scrollRestoration.positionIn(path);
        const read = (): void => {
          const { offsetHeight } = bar.nativeElement;
          this.covered.set(offsetHeight + Number.parseFloat(getComputedStyle(bar.nativeElement).top));
          // After the router and the shell have set the scroll position and the focus, as they do on every page.
          if (scroll !== undefined || line !== undefined)
            requestAnimationFrame(() => this.#restorePosition(scroll, line));
        };
        afterNextRender({ read }, { injector: this.#injector });
      });
    });
  }

  #restorePosition(scroll: number | undefined, line: string | undefined): void {
    if (scroll !== undefined) scrollTo({ top: scroll, behavior: 'instant' });
    if (line !== undefined) this.grid()?.focusLine(line);
  }
}
