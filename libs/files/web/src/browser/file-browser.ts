import { Component, computed, inject, signal } from '@angular/core';
import { toSignal } from '@angular/core/rxjs-interop';
import { ActivatedRoute, RouterLink } from '@angular/router';
import {
  Confirmations,
  EmptyState,
  ErrorPanel,
  Icon,
  PageHeader,
  Skeleton,
  StaleNotice,
  Toasts,
} from '@homeport/platform/web';
import { FileIndex } from '../client/file-index';
import { FilesClient } from '../client/files-client';
import { directoryLink, pathIn } from '../tree/file-links';
import { crumbsTo, type FileRow, nameOf, newKey, openDirectory, parentOf, shownDirectory } from '../tree/file-tree';
import { sortRows, type SortOrder } from '../tree/sort-rows';
import { droppedFiles } from '../uploads/dropped-files';
import { UploadList } from '../uploads/upload-list';
import { Uploads } from '../uploads/uploads';
import { FileTable } from './file-table';

/** A directory of the workspace, rebuilt from the flat keys. */
@Component({
  selector: 'hp-file-browser',
  imports: [EmptyState, ErrorPanel, FileTable, Icon, PageHeader, RouterLink, Skeleton, StaleNotice, UploadList],
  templateUrl: './file-browser.html',
  styleUrl: './file-browser.css',
})
export class FileBrowser {
  readonly #client = inject(FilesClient);
  readonly #confirmations = inject(Confirmations);
  readonly #toasts = inject(Toasts);
  readonly #segments = toSignal(inject(ActivatedRoute).url, { initialValue: [] });
  protected readonly index = inject(FileIndex);
  protected readonly uploads = inject(Uploads);
  protected readonly order = signal<SortOrder>({ field: 'name', descending: false });
  /** How many elements of the page a drag is over: entering a child comes before leaving its parent. */
  protected readonly dragDepth = signal(0);

  protected readonly path = computed(() => shownDirectory(pathIn(this.#segments())));
  protected readonly heading = computed(() => nameOf(this.path()) || 'Files');
  protected readonly crumbs = computed(() =>
    crumbsTo(this.path()).map((crumb) => ({ ...crumb, link: directoryLink(crumb.path) })),
  );
  protected readonly parentLink = computed(() => directoryLink(parentOf(this.path())));
  protected readonly directory = computed(() => {
    const entries = this.index.data.value();
    return entries && sortRows(openDirectory(entries, this.path()), this.order());
  });
  protected readonly note = computed(() => {
    const directory = this.directory();
    if (!directory) return undefined;
    const { directories, files } = directory;
    const parts = [count(directories.length, 'directory', 'directories'), count(files.length, 'file', 'files')];
    return parts.filter(Boolean).join(', ') || undefined;
  });

  constructor() {
    this.index.refresh();
  }

  protected choose(input: HTMLInputElement): void {
    this.#upload([...(input.files ?? [])]);
    input.value = '';
  }

  protected drag(event: DragEvent, change: number): void {
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    this.dragDepth.update((depth) => Math.max(0, depth + change));
  }

  protected drop(event: DragEvent): void {
    this.dragDepth.set(0);
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    const { files, folders } = droppedFiles(event.dataTransfer);
    this.#upload(files);
    if (folders.length > 0) this.#toasts.show(`Folders cannot be uploaded. Left out: ${folders.join(', ')}.`);
  }

  protected async remove({ name, entry }: FileRow): Promise<void> {
    const deleted = await this.#confirmations.ask({
      title: `Delete ${name}?`,
      text: 'The file is gone for good. This cannot be undone.',
      action: 'Delete file',
      run: () => this.#client.delete(entry.key),
    });
    if (!deleted) return;
    this.index.remove(entry.key);
    this.#toasts.show(`Deleted ${name}.`);
  }

  #upload(files: readonly File[]): void {
    const entries = this.index.data.value() ?? [];
    const path = this.path();
    this.uploads.add(files, (name) => newKey(entries, path, name));
  }
}

function count(number: number, one: string, many: string): string {
  if (number === 0) return '';
  return number === 1 ? `1 ${one}` : `${number.toLocaleString('en')} ${many}`;
}
