import { afterNextRender, Component, computed, effect, EnvironmentInjector, inject, untracked } from '@angular/core';
import { RouterLink } from '@angular/router';
import { AuthSession, hasPersonalData } from '@homeport/identity/web';
import {
  EmptyState,
  ErrorPanel,
  fileIconName,
  formatNumber,
  Icon,
  type IconName,
  RelativeTime,
  PageHeader,
  screenData,
  Skeleton,
  StaleNotice,
} from '@homeport/platform/web';
import { FileIndex } from '../client/file-index';
import { OfflineBanner } from '../offline/offline-banner';
import { CachedFilesClient } from '../offline/cached-files-client';
import { truncatedListMessage } from '../offline/truncated-list';
import { viewLink } from '../tree/file-links';
import type { MAIN_DIRECTORIES } from '../tree/main-directories';
import { nameOf, parentOf, displayPath, summaryOf } from '../tree/file-tree';
import { Onboarding } from './onboarding';

interface Card {
  readonly directory: (typeof MAIN_DIRECTORIES)[number];
  readonly label: string;
  readonly icon: IconName;
}

function cards(): readonly Card[] {
  return [
    { directory: 'threads', label: $localize`Threads`, icon: 'chat' },
    { directory: 'social-drafts', label: $localize`Social drafts`, icon: 'send' },
    { directory: 'reports', label: $localize`Reports`, icon: 'chart' },
    { directory: 'knowledge', label: $localize`Knowledge`, icon: 'book' },
  ];
}

/** The start page: the main directories and the recently changed files. */
@Component({
  selector: 'hp-dashboard',
  imports: [
    OfflineBanner,
    EmptyState,
    ErrorPanel,
    Onboarding,
    Icon,
    RelativeTime,
    PageHeader,
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
  protected readonly number = formatNumber;
  protected readonly index = inject(FileIndex);

  protected readonly recent = screenData({
    key: () => this.#session.userScope(),
    load: (_scope, signal) => this.#files.recent(signal),
  });
  protected readonly rows = computed(() =>
    this.recent
      .value()
      ?.filter(({ key }) => !this.index.isHidden(key))
      .map((entry) => {
        const shown = displayPath(entry.key);
        const place = parentOf(shown) || $localize`Files`;
        return { entry, name: nameOf(shown), place, icon: fileIconName(shown), link: viewLink(entry.key) };
      }),
  );
  protected readonly cards = computed(() => {
    const files = this.index.files();
    return cards().map((card) => ({ ...card, summary: files && summaryOf(files, card.directory) }));
  });

  protected readonly truncatedMessage = computed(() =>
    this.#files.isTruncated('all') ? truncatedListMessage() : undefined,
  );

  constructor() {
    const injector = inject(EnvironmentInjector);
    // When loading fails, the next page tries again.
    afterNextRender(() => void finishDeletions(injector).catch(() => undefined));
    this.index.refresh();
    // A separate signal: another empty result, such as a cached one, must not trigger another reload.
    const isEmpty = computed(() => this.recent.value()?.length === 0);
    effect(() => {
      // The first files were added while the page was open.
      if (isEmpty() && this.index.files()?.first) untracked(() => this.recent.reload());
    });
  }

  /** Reloads both lists, because they usually fail for the same reason. */
  protected reload(): void {
    this.recent.reload();
    if (this.index.data.problem()) this.index.data.reload();
  }
}

/** Finishes the deletions of closed pages, as the files page does; the dashboard does not wait for it. */
async function finishDeletions(injector: EnvironmentInjector): Promise<void> {
  if (!(await hasPersonalData('deletions'))) return;
  const { Deletions } = await import('../browser/actions/deletions');
  injector.get(Deletions);
}
