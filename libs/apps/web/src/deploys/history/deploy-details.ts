import { Component, computed, inject, input, signal } from '@angular/core';
import { ErrorPanel, fileSize, formatNumber, Skeleton } from '@homeport/platform/web';
import { DeploysClient } from '../../client/deploys-client';
import { scopedData } from '../../shared/scoped-data';
import { problemsWords } from '../deploy-words';
import { EntryList } from '../entry-list';

/** The most files that are listed. */
const SHOWN = 500;

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
  protected readonly isOpen = signal(false);
  protected readonly details = scopedData(
    () => (this.isOpen() ? this.deployId() : undefined),
    (id, signal) => this.#client.get(id, signal),
  );
  protected readonly problemsLabel = computed(() => problemsWords(this.details.value()?.problems.length ?? 0));
  protected readonly filesLabel = computed(() => filesWords(this.details.value()?.files.length ?? 0));
  protected readonly files = computed(() =>
    this.details
      .value()
      ?.files.slice(0, SHOWN)
      .map(({ path, size }) => ({ path, line: null, reason: fileSize(size) })),
  );
  protected readonly unlisted = computed(() => unlistedWords((this.details.value()?.files.length ?? 0) - SHOWN));
}

function filesWords(files: number): string {
  return files === 1 ? $localize`1 file` : $localize`${formatNumber(files)}:count: files`;
}

function unlistedWords(files: number): string {
  return files > 0 ? $localize`and ${formatNumber(files)}:count: more` : '';
}
