import { fileIconName, fileSize, type IconName } from '@homeport/platform/web';
import { directoryLink, viewLink } from '../../tree/file-links';
import type { BrowserRow } from './rows';

/** A row as the grid renders it. */
export interface GridRow {
  readonly row: BrowserRow;
  readonly index: number;
  readonly icon: IconName;
  readonly link: readonly string[];
  /** RFC 3339; undefined for a directory that is not counted. */
  readonly modifiedAt: string | undefined;
  /** Empty for a directory that is not counted. */
  readonly size: string;
  /** The number of files in a counted directory. */
  readonly files: number | undefined;
  /** The whole key, where two files are shown with the same name. */
  readonly key: string | undefined;
  readonly selectLabel: string;
  readonly actionsLabel: string;
}

export function toGridRow(row: BrowserRow, index: number): GridRow {
  const { directory, entry, name } = row;
  const labels = { selectLabel: $localize`Select ${name}:name:`, actionsLabel: $localize`Actions for ${name}:name:` };
  if (entry) {
    const { key, modified_at: modifiedAt, size } = entry;
    const details = { modifiedAt, size: fileSize(size), files: undefined, key: row.isDuplicate ? key : undefined };
    return { ...labels, row, index, icon: fileIconName(name), link: viewLink(key), ...details };
  }
  const { files, bytes, modifiedAt } = directory;
  const details = { modifiedAt, size: bytes === undefined ? '' : fileSize(bytes), files, key: undefined };
  return { ...labels, row, index, icon: 'folder', link: directoryLink(directory.path), ...details };
}
