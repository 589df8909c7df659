/** A file somebody wants to send, with its path below what was picked. */
export interface PickedFile {
  readonly file: File;
  readonly path: string;
}

/** What a field of files or the clipboard holds; files of a folder know their places in it. */
export function pickedFiles(files: Iterable<File>): readonly PickedFile[] {
  return Array.from(files, (file) => ({ file, path: file.webkitRelativePath || file.name }));
}

/** What was dropped, folders with everything in them. Call it while the drop is being handled. */
export async function droppedFiles(transfer: DataTransfer): Promise<readonly PickedFile[]> {
  // The items are gone as soon as the event is over.
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
    // It answers some of them at a time, and none when it is through.
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return;
    for (const entry of some) {
      const below = `${path}/${entry.name}`;
      if (entry.isDirectory) await collect(entry as FileSystemDirectoryEntry, below, picked);
      else picked.push({ file: await fileOf(entry as FileSystemFileEntry), path: below });
    }
  }
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject));
}
