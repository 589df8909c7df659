import { type ArchiveLink, MAX_ARCHIVE_FILES } from '@homeport/files/contracts';
import type { Actor } from '@homeport/identity/contracts';
import { Semaphore, WorkPool } from '@homeport/kernel';
import { ArchiveNames } from '../domain/archive-names';
import { archiveNameOf, parseSelection, pathInArchive, type SelectedPath } from '../domain/archive-selection';
import { ArchiveTooLarge, FileMissing } from '../domain/files.errors';
import {
  listedWorkspaceKey,
  pathIn,
  type WorkspaceKey,
  type WorkspaceRoot,
  workspaceRoot,
} from '../domain/workspace-key';
import { zipArchive, type ZipEntry } from '../domain/zip-archive';
import type { ArchiveTickets } from './archive-tickets';
import { isReachable } from './confined-object-store';
import type { ObjectRead, ObjectStore } from './object-store.port';

const PAGE = 1_000;
/** Storage requests at once of one check. */
const CHECKS_AT_ONCE = 8;
/** A request checks up to 200 paths in storage. */
const CHECKS = { permits: 32, permitsPerOwner: 2, queuePerOwner: 16, waitLimitMs: 10_000 };

/** An archive that a ticket permits to download. */
export interface Archive {
  /** The workspace that the files come from. */
  readonly owner: WorkspaceRoot;
  /** File name with `.zip`. */
  readonly name: string;
  /**
   * Reads the files from storage while the bytes are read.
   * @param signal ends the reading.
   * @throws {FileMissing} before the first byte, when no file is left. Errors of storage are passed on.
   */
  read(signal: AbortSignal): AsyncGenerator<Buffer, void, undefined>;
}

/** Zip archives of files and folders of a workspace, created while they are downloaded. */
export class Archives {
  readonly #checks = new Semaphore(CHECKS);

  /** @param maxFiles the largest number of files in one archive. */
  constructor(
    private readonly objects: ObjectStore,
    private readonly tickets: ArchiveTickets,
    private readonly maxFiles = MAX_ARCHIVE_FILES,
  ) {}

  /**
   * Creates a link that permits everybody who has it to download these paths.
   * @param paths decoded; a folder ends with `/`, and `/` alone is the whole workspace.
   * @throws {FilePathRejected} @throws {FileMissing} when one of the paths does not exist.
   * @throws {ArchiveLinkTooLong} @throws {CapacityUnavailable}
   */
  async link(owner: Actor, paths: readonly string[]): Promise<ArchiveLink> {
    const root = workspaceRoot(owner);
    const selection = parseSelection(root, paths);
    for (const selected of selection) if (!isReachable(owner, selected.key ?? selected.prefix)) throw missing(selected);
    const { ticket, expiresAt } = this.tickets.create(
      root,
      selection.map(({ path }) => path || '/'),
    );
    await this.#checks.run(() => this.#checkExistence(selection), { owner: root });
    return { url: `/v1/archives/${ticket}`, expires_at: expiresAt.toISOString() };
  }

  /** @throws {ArchiveLinkExpired} */
  open(ticket: string): Archive {
    const { root, paths } = this.tickets.open(ticket);
    const selection = parseSelection(root, paths);
    return {
      owner: root,
      name: archiveNameOf(selection),
      read: (signal) => zipArchive(this.#entries(root, selection, signal)),
    };
  }

  async #checkExistence(selection: readonly SelectedPath[]): Promise<void> {
    const pool = new WorkPool(CHECKS_AT_ONCE);
    for (const selected of selection) {
      await pool.start(async () => {
        if (!(await this.#exists(selected))) throw missing(selected);
      });
    }
    await pool.end();
  }

  async #exists({ key, prefix }: SelectedPath): Promise<boolean> {
    if (key !== undefined) return (await this.objects.head(key)) !== undefined;
    return (await this.objects.list(prefix, { limit: 1 })).objects.length > 0;
  }

  /** Files that are deleted in the meantime are omitted. */
  async *#entries(
    root: WorkspaceRoot,
    selection: readonly SelectedPath[],
    signal: AbortSignal,
  ): AsyncGenerator<ZipEntry, void, undefined> {
    const names = new ArchiveNames();
    let count = 0;
    for (const selected of selection) {
      for await (const key of this.#keysOf(root, selected)) {
        signal.throwIfAborted();
        const found = (await this.objects.get(key, {}, signal)) as ObjectRead | undefined;
        if (!found) continue;
        count += 1;
        if (!Buffer.isBuffer(found.body)) found.body.on('error', ignoreUntilRead);
        try {
          if (count > this.maxFiles) throw new ArchiveTooLarge(`more than ${this.maxFiles} files`);
          yield { ...entryOf(found), name: names.add(pathInArchive(selected, pathIn(root, key))) };
        } finally {
          // The archive may end before the body is read.
          if (!Buffer.isBuffer(found.body)) found.body.destroy();
        }
      }
    }
    if (count === 0) throw new FileMissing();
  }

  async *#keysOf(root: WorkspaceRoot, { key, prefix }: SelectedPath): AsyncGenerator<WorkspaceKey, void, undefined> {
    if (key !== undefined) return yield key;
    let cursor: string | undefined;
    do {
      const page = await this.objects.list(prefix, { limit: PAGE, ...(cursor === undefined ? {} : { cursor }) });
      for (const { key: listed } of page.objects) {
        const valid = listedWorkspaceKey(root, listed);
        if (valid !== undefined) yield valid;
      }
      cursor = page.next;
    } while (cursor !== undefined);
  }
}

function missing({ path }: SelectedPath): FileMissing {
  return new FileMissing(`There is no file at "${path || '/'}".`);
}

function entryOf({ body, length, modifiedAt }: ObjectRead): Omit<ZipEntry, 'name'> {
  return { modifiedAt, size: length, body: Buffer.isBuffer(body) ? [body] : body };
}

/** A body can fail while the client has not asked for it yet. The read that follows throws the error. */
function ignoreUntilRead(): void {
  return undefined;
}
