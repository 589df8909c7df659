import { Clipboard } from '@angular/cdk/clipboard';
import { CdkMenu, CdkMenuItem, CdkMenuTrigger } from '@angular/cdk/menu';
import { OverlayContainer } from '@angular/cdk/overlay';
import { NgComponentOutlet } from '@angular/common';
import { Component, computed, DestroyRef, inject, resource, signal } from '@angular/core';
import { toSignal } from '@angular/core/rxjs-interop';
import { ActivatedRoute, Router, RouterLink } from '@angular/router';
import { AuthSession } from '@homeport/identity/web';
import {
  asHttpProblem,
  EmptyState,
  ErrorPanel,
  fileSize,
  Icon,
  PageHeader,
  pageBreadcrumbs,
  relativeTime,
  screenData,
  Skeleton,
  StaleNotice,
  Toasts,
} from '@homeport/platform/web';
import { ProgressBar, saveFile } from '@homeport/platform/web/on-demand';
import { linkCopiedMessage } from '../browser/actions/action-messages';
import { FileActions } from '../browser/actions/file-actions';
import { type BrowserFileRow, fileId } from '../browser/grid/rows';
import { InlineOverlayContainer } from '../browser/inline-overlay-container';
import { mediaQuery } from '../browser/media-query';
import { UnsavedNotice } from '../drafts/unsaved-notice';
import { MAX_EDITABLE_BYTES } from '../editor/max-editable-size';
import { OfflineBanner } from '../offline/offline-banner';
import { OfflinePinButton } from '../offline/offline-pin-button';
import { CachedFilesClient } from '../offline/cached-files-client';
import { latestFiles } from '../saves/latest-files';
import { SaveQueue } from '../saves/save-queue';
import { directoryLink, editLink, pathFromSegments, viewLink, viewUrl } from '../tree/file-links';
import { nameOf, parentOf, displayPath } from '../tree/display-path';
import { breadcrumbsTo } from '../tree/file-tree';
import { FilePager } from './file-pager';
import { fileTypeLabel } from './file-type-label';
import { rendererFor, TEXT_RENDERER } from './file-renderers';
import { NewerVersionDetector } from './newer-version-detector';
import { openFile } from './opened-file';
import { LineWrapping } from './text/line-wrapping';

/** The progress of smaller files is not shown: they arrive before one could read it. */
const LARGE_BYTES = 1024 * 1024;

/** The page that shows one file with the renderer for its type. */
@Component({
  selector: 'hp-file-viewer',
  imports: [
    CdkMenu,
    CdkMenuItem,
    CdkMenuTrigger,
    OfflineBanner,
    EmptyState,
    ErrorPanel,
    FilePager,
    Icon,
    OfflinePinButton,
    NgComponentOutlet,
    PageHeader,
    ProgressBar,
    RouterLink,
    Skeleton,
    StaleNotice,
    UnsavedNotice,
  ],
  templateUrl: './file-viewer.html',
  styleUrls: ['../browser/menu.css', './file-viewer.css'],
  providers: [NewerVersionDetector, { provide: OverlayContainer, useClass: InlineOverlayContainer }],
})
export class FileViewer {
  readonly #actions = inject(FileActions);
  readonly #saves = inject(SaveQueue);
  readonly #files = latestFiles(inject(CachedFilesClient), this.#saves);
  readonly #router = inject(Router);
  readonly #session = inject(AuthSession);
  readonly #toasts = inject(Toasts);
  readonly #clipboard = inject(Clipboard);
  readonly #route = inject(ActivatedRoute);
  readonly #segments = toSignal(this.#route.url, { initialValue: [] });
  readonly #query = toSignal(this.#route.queryParamMap);
  protected readonly wrapping = inject(LineWrapping);
  protected readonly newer = inject(NewerVersionDetector);

  protected readonly key = computed(() => pathFromSegments(this.#segments()));
  protected readonly name = computed(() => nameOf(this.key()));
  protected readonly directory = computed(() => parentOf(displayPath(this.key())));
  protected readonly directoryLink = computed(() => directoryLink(this.directory()));
  protected readonly editLink = computed(() => editLink(this.key()));
  protected readonly filesLabel = $localize`Files`;
  protected readonly downloadLabel = $localize`Download`;
  /** Phones have download and link in the menu. */
  protected readonly isWide = mediaQuery('(min-width: 640px)');
  protected readonly downloading = signal(false);
  protected readonly downloadWords = computed(() =>
    this.downloading() ? $localize`Downloading…` : this.downloadLabel,
  );

  readonly #received = signal<{ readonly bytes: number; readonly total: number } | undefined>(undefined);
  protected readonly read = screenData({
    key: () => {
      const scope = this.#session.userScope();
      // Neither part can contain a line break.
      return scope === undefined ? undefined : `${scope}\n${this.key()}`;
    },
    load: (read, abort) => {
      this.#received.set(undefined);
      return openFile(this.#files, read.slice(read.indexOf('\n') + 1), abort, (bytes, total) =>
        this.#received.set({ bytes, total }),
      );
    },
  });
  /** How much of a large file has arrived. */
  protected readonly progress = computed(() => {
    const { bytes, total } = this.#received() ?? { bytes: 0, total: 0 };
    if (total < LARGE_BYTES) return undefined;
    return {
      value: bytes / total,
      label: $localize`Loading ${this.name()}:name:`,
      words: $localize`${fileSize(bytes)}:done: of ${fileSize(total)}:size:`,
    };
  });
  protected readonly file = computed(() => this.read.value()?.file);
  /** The renderer expected by the file name, so that the layout does not change when the file is loaded. */
  readonly #expectedRenderer = computed(() => (this.read.problem() ? undefined : rendererFor(this.name(), '', 0)));
  protected readonly hasRaw = computed(
    () => (this.read.value()?.renderer ?? this.#expectedRenderer())?.hasRaw === true,
  );
  protected readonly viewLabels = computed(() => {
    const { id } = this.read.value()?.renderer ?? this.#expectedRenderer() ?? TEXT_RENDERER;
    return id === 'table'
      ? { preview: $localize`Table`, raw: $localize`:shown text|:Source` }
      : { preview: $localize`Preview`, raw: $localize`Raw` };
  });
  protected readonly isRaw = computed(() => this.hasRaw() && this.#query()?.get('view') === 'raw');
  readonly #renderer = computed(() => (this.isRaw() ? TEXT_RENDERER : this.read.value()?.renderer));
  protected readonly view = resource({ params: () => this.#renderer(), loader: ({ params }) => params.load() });
  protected readonly component = computed(() => (this.view.hasValue() ? this.view.value() : undefined));
  protected readonly isEmpty = computed(() => this.file()?.facts.size === 0);
  protected readonly inputs = computed(() => ({ file: this.file() }));

  protected readonly facts = computed(() => {
    const file = this.file();
    // Reserves the line until the file is loaded.
    if (!file) return this.read.problem() ? undefined : '\u00a0';
    const { size, contentType, modifiedAt } = file.facts;
    // The content type of a text can be wrong: `.ts` is also a video format.
    const type = file.text === undefined ? contentType : '';
    const known = `${fileTypeLabel(file.name, type)} · ${fileSize(size)}`;
    if (!modifiedAt) return known;
    return $localize`${known}:facts: · changed ${relativeTime(new Date(modifiedAt), new Date())}:when:`;
  });
  protected readonly isText = computed(() => this.file()?.text !== undefined && !this.isEmpty());
  protected readonly mayEdit = computed(() => {
    const file = this.file();
    if (!file) return this.#expectedRenderer()?.takes === 'text';
    return file.encoding === 'utf-8' && file.text !== undefined && file.facts.size <= MAX_EDITABLE_BYTES;
  });
  protected readonly showsLines = computed(
    () => !this.isEmpty() && ['text', 'large-text', 'json'].includes(this.#renderer()?.id ?? ''),
  );
  protected readonly isAbsent = computed(() => this.read.problem()?.status === 404);

  constructor() {
    pageBreadcrumbs(() => [
      { label: $localize`Files`, link: directoryLink('') },
      ...breadcrumbsTo(this.directory()).map(({ name, path }) => ({ label: name, link: directoryLink(path) })),
      { label: this.name() },
    ]);
    const removeListener = this.#saves.onSettled(({ key }) => {
      if (key === this.key()) this.read.reload();
    });
    inject(DestroyRef).onDestroy(removeListener);
    this.newer.watch(() => this.file()?.facts);
  }

  protected showNewer(): void {
    this.newer.dismiss();
    this.read.reload();
  }

  protected async download(): Promise<void> {
    this.downloading.set(true);
    try {
      const { content } = await this.#files.get(this.key());
      saveFile(content, this.name());
    } catch (error) {
      const { detail } = asHttpProblem(error);
      this.#toasts.show($localize`${this.name()}:name: could not be downloaded. ${detail}:reason:`);
    } finally {
      this.downloading.set(false);
    }
  }

  protected async rename(): Promise<void> {
    const row = this.#row();
    this.#open(row && (await this.#actions.rename(row)));
  }

  protected async move(): Promise<void> {
    const row = this.#row();
    this.#open(row && (await this.#actions.move([row])));
  }

  protected async delete(): Promise<void> {
    const row = this.#row();
    const directory = this.directoryLink();
    const isDeleting = row !== undefined && (await this.#actions.delete([row], () => undefined));
    if (isDeleting) await this.#router.navigate([...directory]);
  }

  protected copyLink(): void {
    this.#copy(location.origin + viewUrl(this.key()), linkCopiedMessage());
  }

  protected copyText(): void {
    this.#copy(this.file()?.text ?? '', $localize`Text copied.`);
  }

  /** The shown file as a row of its directory; undefined until it is loaded. */
  #row(): BrowserFileRow | undefined {
    const file = this.file();
    if (!file) return undefined;
    const { size, etag, modifiedAt } = file.facts;
    const entry = { key: file.key, size, etag, modified_at: modifiedAt ?? '' };
    return { id: fileId(file.key), name: nameOf(displayPath(file.key)), entry, isDuplicate: false };
  }

  /** Shows the file under its new key. */
  #open(key: string | undefined): void {
    if (key !== undefined) void this.#router.navigate([...viewLink(key)], { replaceUrl: true });
  }

  #copy(text: string, done: string): void {
    this.#toasts.show(this.#clipboard.copy(text) ? done : $localize`Copying failed.`);
  }
}
