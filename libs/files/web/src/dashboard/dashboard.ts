import { Component, computed, inject } from '@angular/core';
import { RouterLink } from '@angular/router';
import { AuthSession } from '@homeport/identity/web';
import {
  EmptyState,
  ErrorPanel,
  Icon,
  type IconName,
  Moment,
  PageHeader,
  screenData,
  Skeleton,
  StaleNotice,
} from '@homeport/platform/web';
import { FileIndex } from '../client/file-index';
import { FilesClient } from '../client/files-client';
import { fileIcon } from '../tree/file-icon';
import { viewLink } from '../tree/file-links';
import { countIn, nameOf, parentOf, shownPath } from '../tree/file-tree';

interface Card {
  readonly directory: string;
  readonly label: string;
  readonly icon: IconName;
}

const CARDS: readonly Card[] = [
  { directory: 'threads', label: 'Threads', icon: 'chat' },
  { directory: 'social-drafts', label: 'Social drafts', icon: 'send' },
  { directory: 'reports', label: 'Reports', icon: 'chart' },
  { directory: 'knowledge', label: 'Knowledge', icon: 'book' },
];

/** The first page: the directories people come for, and what changed last. */
@Component({
  selector: 'hp-dashboard',
  imports: [EmptyState, ErrorPanel, Icon, Moment, PageHeader, RouterLink, Skeleton, StaleNotice],
  templateUrl: './dashboard.html',
  styleUrl: './dashboard.css',
})
export class Dashboard {
  readonly #client = inject(FilesClient);
  readonly #session = inject(AuthSession);
  protected readonly index = inject(FileIndex);

  protected readonly recent = screenData({
    key: () => this.#session.scope(),
    load: (_scope, signal) => this.#client.recent(signal),
  });
  protected readonly rows = computed(() =>
    this.recent.value()?.map((entry) => {
      const shown = shownPath(entry.key);
      return { entry, name: nameOf(shown), place: parentOf(shown), icon: fileIcon(shown), link: viewLink(entry.key) };
    }),
  );
  protected readonly cards = computed(() => {
    const entries = this.index.data.value();
    return CARDS.map((card) => ({ ...card, count: entries && countIn(entries, card.directory) }));
  });

  constructor() {
    this.index.refresh();
  }

  /** What made one read fail made the other fail too, more often than not. */
  protected reload(): void {
    this.recent.reload();
    if (this.index.data.problem()) this.index.data.reload();
  }

  protected countWords(count: number): string {
    return count === 1 ? '1 file' : `${count.toLocaleString('en')} files`;
  }
}
