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
import { viewLink } from '../tree/file-links';
import { nameOf, parentOf, displayPath, summaryOf } from '../tree/file-tree';
import { Onboarding } from './onboarding';

interface Card {
  readonly directory: string;
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

/** The first page: the directories people come for, and what changed last. */
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
    key: () => this.#session.scope(),
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

  constructor() {
    const injector = inject(EnvironmentInjector);
    // What cannot be loaded now is for the next page.
    afterNextRender(() => void finishDeletions(injector).catch(() => undefined));
    this.index.refresh();
    // Of its own: an answer that is empty again, as a copy may be, is no reason to ask once more.
    const isEmpty = computed(() => this.recent.value()?.length === 0);
    effect(() => {
      // The first files have come while the page was open.
      if (isEmpty() && this.index.files()?.first) untracked(() => this.recent.reload());
    });
  }

  /** What made one read fail made the other fail too, more often than not. */
  protected reload(): void {
    this.recent.reload();
    if (this.index.data.problem()) this.index.data.reload();
  }
}

/** What was being deleted when a page ended is finished here as on the files page; nothing shown waits for it. */
async function finishDeletions(injector: EnvironmentInjector): Promise<void> {
  if (!(await hasPersonalData('deletions'))) return;
  const { Deletions } = await import('../browser/actions/deletions');
  injector.get(Deletions);
}
