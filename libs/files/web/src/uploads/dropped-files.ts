export interface DroppedFiles {
  readonly files: readonly File[];
  /** Names of dropped folders, which a page cannot read as files. */
  readonly folders: readonly string[];
}

/** What was dropped. A folder comes along as a file of its own that nothing can read, so it is told apart here. */
export function droppedFiles(transfer: DataTransfer): DroppedFiles {
  const files: File[] = [];
  const folders: string[] = [];
  for (const item of transfer.items) {
    if (item.kind !== 'file') continue;
    const entry = item.webkitGetAsEntry();
    const file = item.getAsFile();
    if (entry?.isDirectory) folders.push(entry.name);
    else if (file) files.push(file);
  }
  return { files, folders };
}
