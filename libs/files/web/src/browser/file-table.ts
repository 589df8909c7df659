import { Component, computed, input, model, output } from '@angular/core';
import { RouterLink } from '@angular/router';
import { fileSize, Icon, Moment } from '@homeport/platform/web';
import { fileIcon } from '../tree/file-icon';
import { directoryLink, viewLink } from '../tree/file-links';
import type { Directory, FileRow } from '../tree/file-tree';
import { SORT_FIELDS, type SortField, type SortOrder } from '../tree/sort-rows';

const LABELS: Readonly<Record<SortField, string>> = { name: 'Name', modified: 'Modified', size: 'Size' };

/** One level of the workspace as a table: directories to enter, files to view. */
@Component({
  selector: 'hp-file-table',
  imports: [Icon, Moment, RouterLink],
  templateUrl: './file-table.html',
  styleUrl: './file-table.css',
})
export class FileTable {
  readonly directory = input.required<Directory>();
  readonly order = model.required<SortOrder>();
  readonly remove = output<FileRow>();

  protected readonly columns = SORT_FIELDS.map((field) => ({ field, label: LABELS[field] }));
  protected readonly directories = computed(() =>
    this.directory().directories.map((row) => ({ ...row, link: directoryLink(row.path) })),
  );
  protected readonly files = computed(() => {
    const { files } = this.directory();
    const seen = new Map<string, number>();
    for (const { name } of files) seen.set(name, (seen.get(name) ?? 0) + 1);
    return files.map((row) => ({
      row,
      // The same place with and without the workspace segment can hold two files of one name.
      key: seen.get(row.name) === 1 ? undefined : row.entry.key,
      icon: fileIcon(row.name),
      link: viewLink(row.entry.key),
      size: fileSize(row.entry.size),
    }));
  });

  protected sortBy(field: SortField): void {
    const { field: current, descending } = this.order();
    // Dates and sizes are asked for because of the newest and the largest.
    this.order.set({ field, descending: field === current ? !descending : field !== 'name' });
  }

  protected ariaSort(field: SortField): 'ascending' | 'descending' | null {
    if (this.order().field !== field) return null;
    return this.order().descending ? 'descending' : 'ascending';
  }
}
