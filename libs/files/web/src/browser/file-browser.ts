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
  signal,
  viewChild,
} from '@angular/core';
import { toSignal } from '@angular/core/rxjs-interop';
import { ActivatedRoute, Router, RouterLink } from '@angular/router';
import {
  DropZone,
  EmptyState,
  ErrorPanel,
  FileChooser,
  type FileDrop,
  formatNumber,
  Icon,
  pageBreadcrumbs,
  pageShortcuts,
  type PickedFile,
  Skeleton,
  StaleNotice,
} from '@homeport/platform/web';
import { FileIndex } from '../client/file-index';
import { OfflineBanner } from '../offline/offline-banner';
import { directoryLink, pathFromSegments } from '../tree/file-links';
import { nameOf, parentOf, displayDirectory } from '../tree/display-path';
import { breadcrumbsTo } from '../tree/file-tree';
import { collationKey } from '../tree/name-collation';
import { sortRows } from '../tree/sort-rows';
import { Uploads } from '../uploads/uploads';
import { FileActions } from './actions/file-actions';
import { DirectoryViews } from './directory-views';
import { RowMoves } from './actions/row-moves';
import { FolderDrag } from './drag/folder-drag';
import { FileGrid, type RowActionEvent } from './grid/file-grid';
import { gridShortcuts } from './grid/grid-shortcuts';
import { type BrowserRow, browserRowsOf, directoryId, filterRows } from './grid/rows';
import { InlineOverlayContainer } from './inline-overlay-container';
import { mediaQuery } from './media-query';
import { newFolderKey } from './new-folder-key';
import { NewMenu } from './new-menu';
import { openDirectory } from './open-directory';
import { PasteZone } from './paste-zone';
import { type QueryAction, runQueryAction } from './query-action';
import { restorePositionAfterRender } from './restore-position';
import { rowSelection } from './row-selection';
import { SelectionBar } from './selection-bar';
import { Thumbnails } from './thumbnails/thumbnails';
import { FolderTree } from './tree/folder-tree';
import { FolderTreeState } from './tree/folder-tree-state';
import { UploadMenu } from './upload-menu';
import { viewOptions } from './view-options';

/** The page that shows one directory of the workspace. */
@Component({
  selector: 'hp-file-browser',
  imports: [
    OfflineBanner,
    DropZone,
    EmptyState,
    ErrorPanel,
    FileGrid,
    FolderTree,
    Icon,
    NewMenu,
    PasteZone,
    RouterLink,
    SelectionBar,
    Skeleton,
    StaleNotice,
    UploadMenu,
  ],
  templateUrl: './file-browser.html',
  styleUrl: './file-browser.css',
  providers: [{ provide: OverlayContainer, useClass: InlineOverlayContainer }, Thumbnails],
})
export class FileBrowser {
  readonly #actions = inject(FileActions);
  readonly #chooser = inject(FileChooser);
  readonly #destroyRef = inject(DestroyRef);
  readonly #injector = inject(Injector);
  readonly #router = inject(Router);
  readonly #rowMoves = inject(RowMoves);
  readonly #uploads = inject(Uploads);
  readonly #segments = toSignal(inject(ActivatedRoute).url, { initialValue: [] });
  protected readonly number = formatNumber;
  private readonly grid = viewChild(FileGrid);
  private readonly uploadMenu = viewChild.required(UploadMenu);
  private readonly title = viewChild.required<ElementRef<HTMLElement>>('title');
  private readonly bar = viewChild<ElementRef<HTMLElement>>('bar');

  protected readonly path = computed(() => displayDirectory(pathFromSegments(this.#segments())));
  protected readonly heading = computed(() => nameOf(this.path()) || $localize`Files`);
  protected readonly parentLink = computed(() => directoryLink(parentOf(this.path())));
  protected readonly view = viewOptions();
  protected readonly listing = openDirectory(this.path);
  /** All rows of the directory in sort order; undefined until they are loaded. */
  readonly #allRows = computed(() => {
    const directory = this.listing.directory();
    return directory && browserRowsOf(sortRows(directory, this.view.order()));
  });
  protected readonly count = computed(() => this.#allRows()?.length);
  protected readonly rows = computed(() => filterRows(this.#allRows() ?? [], this.view.filter()));
  protected readonly selected = rowSelection(this.path, this.rows);
  protected readonly coveredTop = signal(0);
  protected readonly drag = new FolderDrag({
    rows: () => this.rows(),
    rowsWith: (row) => (this.selected.selection().ids.has(row.id) ? this.selected.selectedRows() : [row]),
    move: (rows, folder) => void this.#rowMoves.moveTo(rows, folder),
  });
  protected readonly folderAt = (element: EventTarget | null) => this.drag.folderOf(element);
  protected readonly tree = inject(FolderTreeState);
  protected readonly isWide = mediaQuery('(min-width: 1200px)');
  /** Folders that the folder tree shows although the index may not have them. */
  protected readonly knownFolders = computed(() => {
    const here = this.path() === '' || this.listing.isMissing() ? [] : [this.path()];
    return [...here, ...(this.listing.directory()?.directories.map(({ path }) => path) ?? [])];
  });

  constructor() {
    inject(FileIndex).refresh();
    const views = inject(DirectoryViews);
    effect(() => views.remember(this.path(), { order: this.view.order(), filter: this.view.filter() }));
    pageShortcuts(gridShortcuts);
    newFolderKey(() => void this.newFolder());
    // Warm up while the list loads: the first collation key takes as long as those of all rows of a screen.
    setTimeout(() => collationKey(''));
    pageBreadcrumbs(() => [
      { label: $localize`Files`, ...(this.path() && { link: ['/files'] }) },
      ...breadcrumbsTo(this.path()).map(({ name, path }) => ({
        label: name,
        ...(path !== this.path() && { link: directoryLink(path) }),
      })),
    ]);
    restorePositionAfterRender({
      path: this.path,
      isLoaded: () => this.count() !== undefined,
      bar: this.bar,
      barMeasured: (coveredTop) => this.coveredTop.set(coveredTop),
      focusRow: (id) => this.grid()?.focusRow(id),
    });
    runQueryAction(
      () => this.count() !== undefined,
      (action) => this.#runQueryAction(action),
    );
  }

  protected noMatchesMessage(): string {
    return $localize`No matches for “${this.view.filter()}:filter:”.`;
  }

  protected missingMessage(): string {
    return $localize`There is no folder ${this.heading()}:name: here. It may have been renamed, moved or deleted.`;
  }

  protected upload(picked: readonly PickedFile[], folder = this.path()): void {
    const keyPrefix = folder === this.path() ? this.listing.keyPrefix() : undefined;
    if (picked.length > 0) void this.#uploads.add(picked, folder, keyPrefix);
  }

  /** Uploads dropped files to the folder below the pointer, or else to the open one. */
  protected uploadTo({ files, place }: FileDrop): void {
    this.upload(files, place);
  }

  /** What a drop at the current position does; undefined while nothing is dragged to a place. */
  protected dropHint(isFile: boolean): string | undefined {
    const target = this.drag.target();
    const folder = target ? nameOf(target.path) || $localize`Files` : this.heading();
    if (isFile) return $localize`Drop to upload to ${folder}:folder:`;
    return target && (target.fault ?? $localize`Drop to move to ${folder}:folder:`);
  }

  protected async chooseFiles(): Promise<void> {
    this.upload(await this.#chooser.choose({ multiple: true }));
  }

  protected newFile(): void {
    void this.#actions.newFile(this.path());
  }

  protected async newFolder(): Promise<void> {
    const created = await this.#actions.newFolder(this.path());
    if (created === undefined) return;
    this.view.filter.set('');
    this.#focusAfterRender(directoryId(created));
  }

  protected runRowAction({ action, row }: RowActionEvent): void {
    const isSelected = this.selected.selection().ids.has(row.id);
    const rows = isSelected ? this.selected.selectedRows() : [row];
    if (action === 'rename') void this.#actions.rename(row);
    else if (action === 'copy-link') this.#actions.copyLink(row);
    else if (action === 'download') this.download(rows);
    else if (action === 'pin') void this.#actions.toggleOfflinePin(row);
    else if (action === 'move') void this.#actions.move(rows);
    else void this.remove(rows);
  }

  protected moveSelected(): void {
    void this.#actions.move(this.selected.selectedRows());
  }

  protected download(rows: readonly BrowserRow[]): void {
    void this.#actions.download(rows, rows.length === this.count() ? this.path() : undefined);
  }

  protected downloadDirectory(): void {
    void this.#actions.downloadDirectory(this.path());
  }

  protected async remove(rows: readonly BrowserRow[]): Promise<void> {
    const ids = rows.map(({ id }) => id);
    const next = this.grid()?.neighbourOf(new Set(ids));
    if (await this.#actions.delete(rows, () => this.#focusAfterRender(ids[0]))) this.#focusAfterRender(next);
  }

  protected openParent(): void {
    if (this.path()) void this.#router.navigate([...this.parentLink()], { queryParams: this.view.query() });
  }

  /** Focuses a row once it is rendered, or the heading when the row does not exist. */
  #focusAfterRender(id: string | undefined): void {
    if (this.#destroyRef.destroyed) return;
    const read = (): void => {
      const grid = this.rows().some((row) => row.id === id) ? this.grid() : undefined;
      if (grid && id !== undefined) grid.focusRow(id);
      else this.title().nativeElement.focus();
    };
    afterNextRender({ read }, { injector: this.#injector });
  }

  #runQueryAction(action: QueryAction): void {
    if (action === 'new-file') this.newFile();
    else if (action === 'new-folder') void this.newFolder();
    // Browsers open the file chooser only after a user gesture on the page, so the menu is opened instead.
    else this.uploadMenu().open();
  }
}
