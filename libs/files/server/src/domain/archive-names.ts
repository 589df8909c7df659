/** Most file systems allow names of 255 bytes. */
const MAX_NAME_BYTES = 255;
/** Characters that Windows rejects in names; macOS displays a colon as a slash. */
const FORBIDDEN = /[<>:"|?*\\\p{Cc}]/gu;
/** Names of devices on Windows, also with an extension. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;

/**
 * Names the files of an archive so that every system can unpack all of them: relative, NFC, without characters and
 * names that Windows reserves, and unique even where case does not count. Folders with the same name are merged; a file
 * whose name is taken gets a number, such as `a (2).md`.
 */
export class ArchiveNames {
  /** Paths in the archive, in lower case. */
  readonly #files = new Set<string>();
  readonly #folders = new Set<string>();
  /** The path of each folder in the archive, by its path without a number. */
  readonly #resolved = new Map<string, string>();
  /** The last number of each path, so that many equal names do not search from the beginning. */
  readonly #numbers = new Map<string, number>();

  /**
   * @param path of a file, separated by slashes. The same path twice means two files.
   * @returns the name of the file in the archive, separated by slashes.
   */
  add(path: string): string {
    const segments = path.normalize('NFC').split('/').filter(Boolean).map(portableSegment);
    const file = segments.pop() ?? '_';
    const folder = segments.reduce((parent, segment) => this.#folder(parent, segment), '');
    const name = this.#numbered(folder, file, (each) => !this.#files.has(each) && !this.#folders.has(each));
    this.#files.add(name.toLowerCase());
    return name;
  }

  #folder(parent: string, segment: string): string {
    const path = join(parent, segment);
    const known = this.#resolved.get(path);
    if (known !== undefined) return known;
    const folder = this.#numbered(parent, segment, (each) => !this.#files.has(each));
    this.#resolved.set(path, folder);
    this.#folders.add(folder.toLowerCase());
    return folder;
  }

  /** @param isFree checks a path in lower case. */
  #numbered(folder: string, segment: string, isFree: (path: string) => boolean): string {
    const base = join(folder, segment).toLowerCase();
    for (let number = this.#numbers.get(base) ?? 1; ; number += 1) {
      const path = join(folder, number === 1 ? segment : withNumber(segment, number));
      if (!isFree(path.toLowerCase())) continue;
      if (number > 1) this.#numbers.set(base, number);
      return path;
    }
  }
}

function join(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

/** Replaces what a system rejects by underscores. */
function portableSegment(segment: string): string {
  return segment
    .replace(FORBIDDEN, '_')
    .replace(DEVICE, '$1_')
    .replace(/[. ]+$/, (end) => '_'.repeat(end.length));
}

/** `a.md` becomes `a (2).md`; a name that would be too long is shortened before the number. */
function withNumber(segment: string, number: number): string {
  const dot = segment.lastIndexOf('.');
  const extension = dot > 0 ? segment.slice(dot) : '';
  const suffix = ` (${number})${extension}`;
  let stem = [...segment.slice(0, segment.length - extension.length)];
  while (stem.length > 1 && Buffer.byteLength(stem.join('') + suffix) > MAX_NAME_BYTES) stem = stem.slice(0, -1);
  return stem.join('') + suffix;
}
