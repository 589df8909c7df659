import {
  afterNextRender,
  Component,
  computed,
  DestroyRef,
  effect,
  EnvironmentInjector,
  inject,
  untracked,
} from '@angular/core';
import { RouterLink } from '@angular/router';
import type { FileEntry } from '@homeport/files/contracts';
import { AuthSession, hasPersonalData } from '@homeport/identity/web';
import {
  DropZone,
  ErrorPanel,
  FileIcon,
  HOME_SECTIONS,
  Icon,
  LazyOutlet,
  PageHeader,
  PanelButton,
  RelativeTime,
  screenData,
  Skeleton,
  StaleNotice,
} from '@homeport/platform/web';
import { FileIndex } from '../client/file-index';
import { withoutMoved } from '../client/moved-files';
import { CachedFilesClient } from '../offline/cached-files-client';
import { OfflineBanner } from '../offline/offline-banner';
import { truncatedListMessage } from '../offline/truncated-list';
import type { FileChanges } from '../tree/directory-level';
import { editLink, viewLink } from '../tree/file-links';
import { displayPath, nameOf, parentOf, splitExtension } from '../tree/display-path';
import { type ContinueItem, continueItems } from './continue-items';
import { FirstFileActions } from './first-file-actions';
import { MainDirectoryList } from './main-directory-list';
import { RecentActivityReader } from './recent-activity';

const SHOWN_FILES = 8;
/** More than are shown, so that the list stays full after deletions. */
const KEPT_FILES = 24;

/** The start page: files to continue with, sections of other domains, and the main directories. */
@Component({
  selector: 'hp-dashboard',
  imports: [
    DropZone,
    ErrorPanel,
    FileIcon,
    Icon,
    LazyOutlet,
    MainDirectoryList,
    OfflineBanner,
    PageHeader,
    PanelButton,
    RelativeTime,
    RouterLink,
    Skeleton,
    StaleNotice,
  ],
  templateUrl: './dashboard.html',
  styleUrl: './dashboard.css',
})
export class Dashboard {
  readonly #files = inject(CachedFilesClient);
  readonly #session = inject(AuthSession);
  readonly #activityReader = inject(RecentActivityReader);
  protected readonly actions = inject(FirstFileActions);
  protected readonly index = inject(FileIndex);
  protected readonly loadOnboarding = async () => (await import('./onboarding')).Onboarding;
  protected readonly loadUploadMenu = async () => (await import('./home-upload-menu')).HomeUploadMenu;
  protected readonly sections = inject(HOME_SECTIONS, { optional: true }) ?? [];

  protected readonly recent = screenData({
    key: () => this.#session.userScope(),
    load: (_scope, signal) => this.#files.recent(signal),
  });
  readonly #activity = screenData({
    key: () => this.#session.userScope(),
    load: () => this.#activityReader.read(),
  });
  /** Undefined until both sources are read, so that no row moves. */
  protected readonly rows = computed(() => {
    const modified = this.recent.value();
    const activity = this.#activity.value();
    if (!modified || !activity) return undefined;
    const opened = activity.opened.filter(({ key }) => this.#exists(key));
    return continueItems({ ...activity, modified: withoutMoved(modified), opened })
      .filter(({ key }) => !this.index.isHidden(key))
      .slice(0, SHOWN_FILES)
      .map(rowOf);
  });

  protected readonly truncatedMessage = computed(() =>
    this.#files.isTruncated('all') ? truncatedListMessage() : undefined,
  );

  constructor() {
    const injector = inject(EnvironmentInjector);
    // When loading fails, the next page tries again.
    afterNextRender(() => void finishDeletions(injector).catch(() => undefined));
    this.index.refresh();
    inject(DestroyRef).onDestroy(
      this.index.onChange((changes) => this.recent.update((files) => applied(changes, files))),
    );
    // A separate signal: another empty result, such as a cached one, must not trigger another reload.
    const isEmpty = computed(() => this.recent.value()?.length === 0);
    effect(() => {
      // The first files were added on another device while the page was open.
      if (isEmpty() && this.index.files()?.first) untracked(() => this.recent.reload());
    });
  }

  /** Reloads both lists, because they usually fail for the same reason. */
  protected reload(): void {
    this.recent.reload();
    if (this.index.data.problem()) this.index.data.reload();
  }

  /** Whether a file that was opened still exists; true while that is unknown. */
  #exists(key: string): boolean {
    const files = this.index.files();
    return !files || this.#files.isTruncated('all') || files.find(key) !== undefined;
  }
}

function rowOf(item: ContinueItem) {
  const shown = displayPath(item.key);
  const link = item.reason === 'draft' ? editLink(item.key) : viewLink(item.key);
  const name = nameOf(shown);
  return {
    ...item,
    ...splitExtension(name),
    link,
    name,
    place: parentOf(shown) || $localize`Files`,
  };
}

/** Applies uploads and deletions of this page to the recently modified files. */
function applied({ added, removed }: FileChanges, files: readonly FileEntry[]): readonly FileEntry[] {
  const changed = new Set([...removed, ...added.map(({ key }) => key)]);
  const others = files.filter(({ key }) => !changed.has(key));
  const newestFirst = [...added, ...others].sort(
    (one, other) => Date.parse(other.modified_at) - Date.parse(one.modified_at),
  );
  return newestFirst.slice(0, KEPT_FILES);
}

/** Finishes the deletions of closed pages, as the files page does; the dashboard does not wait for it. */
async function finishDeletions(injector: EnvironmentInjector): Promise<void> {
  if (!(await hasPersonalData('deletions'))) return;
  const { Deletions } = await import('../browser/actions/deletions');
  injector.get(Deletions);
}
