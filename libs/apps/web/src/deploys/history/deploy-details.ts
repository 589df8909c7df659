import { Component, computed, inject, input, signal } from '@angular/core';
import type { DeployDetails, DeployFile } from '@homeport/apps/contracts';
import { asHttpProblem, ErrorPanel, fileSize, formatNumber, type HttpProblem, Skeleton } from '@homeport/platform/web';
import { DeploysClient } from '../../client/deploys-client';
import { scopedData } from '../../shared/scoped-data';
import { problemCountMessage } from '../deploy-messages';
import { EntryList } from '../entry-list';

/** The files that were read after the first page. */
interface LoadedFiles {
  readonly of: DeployDetails;
  readonly files: readonly DeployFile[];
  /** Null when all files were read. */
  readonly cursor: string | null;
}

/** What was found in a deploy and what is in it, read when somebody unfolds it. */
@Component({
  selector: 'hp-deploy-details',
  imports: [EntryList, ErrorPanel, Skeleton],
  templateUrl: './deploy-details.html',
  styleUrl: './deploy-details.css',
})
export class DeployDetailsView {
  readonly deployId = input.required<string>();
  /** What tells it from the others, for those who do not see beside what it stands. */
  readonly of = input.required<string>();

  readonly #client = inject(DeploysClient);
  readonly #further = signal<LoadedFiles | undefined>(undefined);
  protected readonly isOpen = signal(false);
  protected readonly isReadingMore = signal(false);
  protected readonly moreProblem = signal<HttpProblem | undefined>(undefined);
  protected readonly details = scopedData(
    () => (this.isOpen() ? this.deployId() : undefined),
    (id, signal) => this.#client.get(id, signal),
  );
  protected readonly problemsLabel = computed(() => problemCountMessage(this.details.value()?.problems.length ?? 0));
  protected readonly filesLabel = computed(() => filesWords(this.details.value()?.file_count ?? 0));
  readonly #listed = computed((): LoadedFiles | undefined => {
    const of = this.details.value();
    const further = this.#further();
    return of && (further?.of === of ? further : { of, files: of.files, cursor: of.files_next_cursor });
  });
  protected readonly hasMore = computed(() => (this.#listed()?.cursor ?? null) !== null);
  protected readonly files = computed(() =>
    this.#listed()?.files.map(({ path, size }) => ({ path, line: null, reason: fileSize(size) })),
  );

  /** Reads one more page of files. */
  protected async readMore(): Promise<void> {
    const listed = this.#listed();
    if (listed === undefined || listed.cursor === null || this.isReadingMore()) return;
    this.isReadingMore.set(true);
    this.moreProblem.set(undefined);
    try {
      const { items, next_cursor: cursor } = await this.#client.files(listed.of.id, listed.cursor);
      this.#further.set({ of: listed.of, files: [...listed.files, ...items], cursor });
    } catch (error) {
      this.moreProblem.set(asHttpProblem(error));
    } finally {
      this.isReadingMore.set(false);
    }
  }
}

function filesWords(files: number): string {
  return files === 1 ? $localize`1 file` : $localize`${formatNumber(files)}:count: files`;
}
