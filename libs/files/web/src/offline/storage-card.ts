import { Component, computed, inject, signal } from '@angular/core';
import { RouterLink } from '@angular/router';
import { Confirmations, fileSize, Icon, Toasts } from '@homeport/platform/web';
import { fileCountLabel } from '../browser/actions/action-messages';
import { FileIndex } from '../client/file-index';
import type { Draft } from '../drafts/draft';
import { Drafts } from '../drafts/drafts';
import { editLink, viewLink } from '../tree/file-links';
import { nameOf, parentOf, displayPath } from '../tree/display-path';
import { totalSize } from './eviction-policy';
import { OfflineFiles } from './offline-files';
import { CachedFilesClient } from './cached-files-client';
import { formatTimestamp } from './format-timestamp';
import { truncatedListMessage } from './truncated-list';

/** The size of the workspace, the offline files on this device, and the unsaved drafts. */
@Component({
  selector: 'hp-storage-card',
  imports: [Icon, RouterLink],
  templateUrl: './storage-card.html',
  styleUrl: './storage-card.css',
})
export class StorageCard {
  readonly #cachedFiles = inject(CachedFilesClient);
  readonly #drafts = inject(Drafts);
  readonly #confirmations = inject(Confirmations);
  readonly #toasts = inject(Toasts);
  protected readonly index = inject(FileIndex);
  protected readonly offline = inject(OfflineFiles);
  protected readonly drafts = signal<readonly Draft[]>([]);

  protected readonly workspace = computed(() => {
    const entries = this.index.allFiles();
    return entries && fileSummary([...entries]);
  });
  protected readonly truncatedMessage = computed(() =>
    this.#cachedFiles.isTruncated('all') ? truncatedListMessage() : undefined,
  );
  protected readonly device = computed(() => fileSummary(this.offline.entries()));
  protected readonly unsaved = computed(() =>
    this.drafts().map((draft) => ({
      draft,
      ...placeOf(draft.key),
      link: editLink(draft.key),
      at: formatTimestamp(new Date(draft.writtenAt), new Date()),
    })),
  );
  protected readonly copies = computed(() =>
    this.offline.entries().map((entry) => ({
      entry,
      ...placeOf(entry.key),
      link: viewLink(entry.key),
      size: fileSize(entry.size),
    })),
  );

  constructor() {
    this.index.refresh();
    void this.offline.refresh();
    void this.#loadDrafts();
  }

  protected async clear(): Promise<void> {
    await this.offline.clear();
    this.#toasts.show($localize`Removed all offline files from this device.`);
  }

  protected async discard({ id, key }: Draft): Promise<void> {
    await this.#confirmations.ask({
      title: $localize`Discard changes to ${nameOf(key)}:name:?`,
      text: $localize`They are on this device only and were never saved. This cannot be undone.`,
      action: $localize`Discard changes`,
      run: () => this.#drafts.drop(id),
    });
    await this.#loadDrafts();
  }

  async #loadDrafts(): Promise<void> {
    this.drafts.set(await this.#drafts.list());
  }
}

function fileSummary(files: readonly { readonly size: number }[]): { readonly size: string; readonly files: string } {
  return {
    size: fileSize(totalSize(files)),
    files: files.length === 0 ? $localize`No files` : fileCountLabel(files.length),
  };
}

function placeOf(key: string): { readonly name: string; readonly place: string } {
  const shown = displayPath(key);
  return { name: nameOf(shown), place: parentOf(shown) };
}
