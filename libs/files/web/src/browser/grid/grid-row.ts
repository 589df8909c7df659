import { fileIconName, fileKind, type FileKind, fileSize, type IconName } from '@homeport/platform/web';
import { directoryLink, viewLink } from '../../tree/file-links';
import { splitExtension } from '../../tree/display-path';
import type { BrowserRow } from './rows';

/** A row as the grid renders it. */
export interface GridRow {
  readonly row: BrowserRow;
  readonly index: number;
  readonly icon: IconName;
  readonly kind: FileKind | 'folder';
  /** The accessible name of the link: the name, and the key where two files have the same name. */
  readonly label: string;
  /** The name without its extension. */
  readonly stem: string;
  /** With its dot; empty without an extension. */
  readonly extension: string;
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
  const { stem, extension } = entry ? splitExtension(name) : { stem: name, extension: '' };
  const labels = {
    label: entry && row.isDuplicate ? `${name} ${entry.key}` : name,
    stem,
    extension,
    selectLabel: $localize`Select ${name}:name:`,
    actionsLabel: $localize`Actions for ${name}:name:`,
  };
  if (entry) {
    const { key, modified_at: modifiedAt, size } = entry;
    const details = { modifiedAt, size: fileSize(size), files: undefined, key: row.isDuplicate ? key : undefined };
    const kind = fileKind(name);
    return { ...labels, row, index, icon: fileIconName(name), kind, link: viewLink(key), ...details };
  }
  const { files, bytes, modifiedAt } = directory;
  const details = { modifiedAt, size: bytes === undefined ? '' : fileSize(bytes), files, key: undefined };
  const link = directoryLink(directory.path);
  return { ...labels, row, index, icon: 'folder', kind: 'folder', link, ...details };
}
