import { type AppType, isIgnoredPath } from '@homeport/apps/contracts';
import { ArchiveRejected, MAX_REPORTED_ENTRIES, printableName } from './archive.errors';
import { type ArchiveLimits, maxPathBytes, formatBytes } from './archive-limits';
import { findPathConflicts, commonFolder, parseEntryName } from '@homeport/hosting/contracts';

/** A file of a site in an archive. */
export interface SiteEntry {
  /** In NFC, without a leading "/". */
  readonly path: string;
  readonly size: number;
  /** SHA-256 in lower-case hex. */
  readonly digest: string;
  /** Index of the entry in the archive, from 0. It identifies the entry when the archive is read again. */
  readonly position: number;
}

const ARCHIVE_NAME = /\.(zip|tar|tgz|gz|bz2|tbz2?|xz|txz|zst|7z|rar)$/i;
const TOOL_OF_PACKAGE = /(^|\/)node_modules\/\.bin\//;
const byPath = (a: SiteEntry, b: SiteEntry) => (a.path < b.path ? -1 : 1);

/** Collects the files of a site and the rejected entries while an archive is read. */
export class SiteListing {
  readonly #files: SiteEntry[] = [];
  readonly #folders = new Set<string>();
  readonly #faults: { field: string; reason: string }[] = [];
  #unnamed = 0;
  #fileCount = 0;
  #pathBytes = 0;
  #hiddenBytes = 0;
  #hasVisibleFile = false;

  /** @param type of the app: SSR apps keep the hidden folders of servers. */
  constructor(
    private readonly limits: ArchiveLimits,
    private readonly type: AppType = 'static',
  ) {}

  /** Records that an entry cannot be published. Package managers link the tools of packages: no server needs them. */
  reject(name: string, reason: string): void {
    if (this.type === 'ssr' && TOOL_OF_PACKAGE.test(name)) return;
    if (this.#faults.length < MAX_REPORTED_ENTRIES) this.#faults.push({ field: printableName(name), reason });
    else this.#unnamed++;
  }

  /**
   * Decides whether an entry has to be read.
   * @param size in bytes, as the archive declares it.
   * @returns the path of the entry; undefined for folders, ignored and rejected entries.
   * @throws {ArchiveRejected} at a limit.
   */
  admit(name: string, kind: 'file' | 'folder', size: number): string | undefined {
    const parsed = parseEntryName(name, kind);
    if ('fault' in parsed) {
      this.reject(name, parsed.fault);
      return undefined;
    }
    const { path } = parsed;
    // A hidden folder around the whole site is stripped, so files in a hidden folder are checked at the end.
    const below = path.slice(path.indexOf('/') + 1);
    if (path === '' || path.startsWith('__MACOSX/') || this.#isIgnored(below)) return undefined;
    if (kind === 'folder') {
      if (!this.#folders.has(path)) this.#countPath(path);
      this.#folders.add(path);
      return undefined;
    }
    const isHidden = this.#isIgnored(path);
    // A hidden folder is stripped only if it contains all files. A visible file rules that out.
    if (isHidden && this.#hasVisibleFile) return undefined;
    if (isHidden) this.#hiddenBytes += Buffer.byteLength(path);
    else this.#countFile(path, size);
    this.#countPath(path);
    return path;
  }

  add(entry: SiteEntry): void {
    this.#files.push(entry);
  }

  /** Adds the faults found so far to an error that ended the reading. */
  withFaults(error: unknown): unknown {
    if (!(error instanceof ArchiveRejected) || this.#faults.length === 0) return error;
    return new ArchiveRejected([...this.#faults, ...error.fields], this.#unnamed, { cause: error });
  }

  /** @returns the files of the site, in the order of their paths. @throws {ArchiveRejected} */
  finish(): readonly SiteEntry[] {
    const { files, folders } = this.#withoutCommonFolder();
    const paths = files.map(({ path }) => path);
    for (const { path, reason } of findPathConflicts(paths, folders)) this.reject(path, reason);
    for (const { path, size } of files) if (size > this.limits.fileBytes) this.reject(path, this.#tooLarge());
    if (this.#faults.length > 0) throw new ArchiveRejected(this.#faults, this.#unnamed);
    const [only] = files;
    if (!only) throw ArchiveRejected.forArchive('The archive is empty: it holds no file that can be published.');
    if (files.length > this.limits.files) throw this.#tooMany();
    if (files.length === 1 && ARCHIVE_NAME.test(only.path))
      throw ArchiveRejected.forEntry(
        only.path,
        'The archive is nested: its only file is itself an archive. Send that one.',
      );
    return files.sort(byPath);
  }

  #isIgnored(path: string): boolean {
    return isIgnoredPath(path, this.type);
  }

  #countPath(path: string): void {
    this.#pathBytes += Buffer.byteLength(path);
    const limit = maxPathBytes(this.limits);
    if (this.#pathBytes > limit)
      throw ArchiveRejected.forArchive(
        `The paths in the archive are longer than ${formatBytes(limit)} in total. Use shorter names, or fewer files.`,
      );
  }

  #countFile(path: string, size: number): void {
    if (!this.#hasVisibleFile) this.#discardHidden();
    if (size > this.limits.fileBytes) throw ArchiveRejected.forEntry(path, this.#tooLarge());
    if (++this.#fileCount > this.limits.files) throw this.#tooMany();
  }

  #discardHidden(): void {
    this.#hasVisibleFile = true;
    this.#files.length = 0;
    this.#pathBytes -= this.#hiddenBytes;
  }

  #tooLarge(): string {
    return `The file is larger than ${formatBytes(this.limits.fileBytes)}.`;
  }

  #tooMany(): ArchiveRejected {
    const most = this.limits.files.toLocaleString('en');
    return ArchiveRejected.forArchive(
      this.type === 'ssr'
        ? `The upload has more than ${most} files. Run "npm prune --omit=dev" before you deploy, or bundle the server.`
        : `The upload has more than ${most} files. Deploy only the output of the build.`,
    );
  }

  /** The files to publish, without the one folder around them. */
  #withoutCommonFolder(): { files: SiteEntry[]; folders: string[] } {
    const visible = this.#files.filter(({ path }) => !this.#isIgnored(path));
    const inFolders = this.#files.filter(({ path }) => path.includes('/'));
    const candidates = visible.length > 0 ? visible : inFolders;
    const folder = commonFolder(candidates.map(({ path }) => path));
    const cut = folder === undefined ? 0 : folder.length + 1;
    const files = candidates.map((entry) => ({ ...entry, path: entry.path.slice(cut) }));
    const folders = [...this.#folders]
      .filter((path) => folder === undefined || path.startsWith(`${folder}/`))
      .map((path) => path.slice(cut));
    return { files: files.filter(({ path }) => !this.#isIgnored(path)), folders };
  }
}
