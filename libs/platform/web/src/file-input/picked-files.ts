/** A picked file with its path relative to the selection. */
export interface PickedFile {
  readonly file: File;
  readonly path: string;
}

/** The files of an input or the clipboard; files of a picked folder have a relative path. */
export function pickedFiles(files: Iterable<File>): readonly PickedFile[] {
  return Array.from(files, (file) => ({ file, path: file.webkitRelativePath || file.name }));
}

/** The dropped files, including the contents of folders. Call it synchronously in the drop event. */
export async function droppedFiles(transfer: DataTransfer): Promise<readonly PickedFile[]> {
  // The browser clears the items when the event ends.
  const dropped = [...transfer.items].filter(({ kind }) => kind === 'file');
  const entries = dropped.map((item) => ({ entry: item.webkitGetAsEntry(), file: item.getAsFile() }));
  const picked: PickedFile[] = [];
  for (const { entry, file } of entries) {
    if (entry?.isDirectory) await collect(entry as FileSystemDirectoryEntry, entry.name, picked);
    else if (file) picked.push({ file, path: file.name });
  }
  return picked;
}

async function collect(directory: FileSystemDirectoryEntry, path: string, picked: PickedFile[]): Promise<void> {
  const reader = directory.createReader();
  for (;;) {
    // `readEntries` returns the entries in batches and ends with an empty one.
    const batch = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (batch.length === 0) return;
    for (const entry of batch) {
      const below = `${path}/${entry.name}`;
      if (entry.isDirectory) await collect(entry as FileSystemDirectoryEntry, below, picked);
      else picked.push({ file: await fileOf(entry as FileSystemFileEntry), path: below });
    }
  }
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject));
}
