import { Component, computed, inject, input, signal } from '@angular/core';
import type { DeployDetails, DeployFile } from '@homeport/apps/contracts';
import { asHttpProblem, ErrorPanel, fileSize, formatNumber, type HttpProblem, Skeleton } from '@homeport/platform/web';
import { DeploysClient } from '../../client/deploys-client';
import { scopedData } from '../../shared/scoped-data';
import { problemCountMessage } from '../deploy-messages';
import { EntryList } from '../entry-list';

/** The first page of files and all pages loaded after it. */
interface LoadedFiles {
  readonly of: DeployDetails;
  readonly files: readonly DeployFile[];
  /** Null when all files are loaded. */
  readonly cursor: string | null;
}

/** The problems and files of a deploy. */
@Component({
  selector: 'hp-deploy-details',
  imports: [EntryList, ErrorPanel, Skeleton],
  templateUrl: './deploy-details.html',
  styleUrl: './deploy-details.css',
})
export class DeployDetailsView {
  readonly deployId = input.required<string>();

  readonly #client = inject(DeploysClient);
  readonly #loaded = signal<LoadedFiles | undefined>(undefined);
  protected readonly isReadingMore = signal(false);
  protected readonly moreProblem = signal<HttpProblem | undefined>(undefined);
  protected readonly details = scopedData(
    () => this.deployId(),
    (id, signal) => this.#client.get(id, signal),
  );
  protected readonly problemsLabel = computed(() => problemCountMessage(this.details.value()?.problems.length ?? 0));
  protected readonly filesLabel = computed(() => fileCountLabel(this.details.value()?.file_count ?? 0));
  readonly #listed = computed((): LoadedFiles | undefined => {
    const of = this.details.value();
    const loaded = this.#loaded();
    return of && (loaded?.of === of ? loaded : { of, files: of.files, cursor: of.files_next_cursor });
  });
  protected readonly hasMore = computed(() => (this.#listed()?.cursor ?? null) !== null);
  protected readonly files = computed(() =>
    this.#listed()?.files.map(({ path, size }) => ({ path, line: null, reason: fileSize(size) })),
  );

  /** Loads one more page of files. */
  protected async readMore(): Promise<void> {
    const listed = this.#listed();
    if (listed === undefined || listed.cursor === null || this.isReadingMore()) return;
    this.isReadingMore.set(true);
    this.moreProblem.set(undefined);
    try {
      const { items, next_cursor: cursor } = await this.#client.files(listed.of.id, listed.cursor);
      this.#loaded.set({ of: listed.of, files: [...listed.files, ...items], cursor });
    } catch (error) {
      this.moreProblem.set(asHttpProblem(error));
    } finally {
      this.isReadingMore.set(false);
    }
  }
}

function fileCountLabel(files: number): string {
  return files === 1 ? $localize`1 file` : $localize`${formatNumber(files)}:count: files`;
}
