import { createHash } from 'node:crypto';
import { appendFile, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** One version of a file that both sides had. */
export interface SyncedFile {
  readonly etag: string;
  /** Of the local file. */
  readonly size: number;
  readonly mtimeMs: number;
  readonly md5: string;
}

type Line = readonly [path: string, file: SyncedFile | null];

/**
 * What the last runs have synchronized. Each file is recorded when it is done, as one line, so that a killed run is
 * continued; a line that was cut is ignored.
 */
export class SyncState {
  readonly #files: Map<string, SyncedFile>;

  private constructor(
    private readonly location: string,
    files: Map<string, SyncedFile>,
  ) {
    this.#files = files;
  }

  /** @param pair names server, folder and prefix. */
  static async open(stateDir: string, pair: readonly string[]): Promise<SyncState> {
    const name = createHash('sha256').update(pair.join('\0')).digest('hex').slice(0, 32);
    const location = join(stateDir, 'sync', `${name}.jsonl`);
    await mkdir(dirname(location), { recursive: true, mode: 0o700 });
    const text = await readFile(location, 'utf8').catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
      throw error;
    });
    const state = new SyncState(location, new Map());
    for (const line of text.split('\n')) state.#read(line);
    await state.#compact();
    return state;
  }

  find(path: string): SyncedFile | undefined {
    return this.#files.get(path);
  }

  /** @param file null when both sides have deleted it. */
  async record(path: string, file: SyncedFile | null): Promise<void> {
    this.#set([path, file]);
    await appendFile(this.location, `${JSON.stringify([path, file])}\n`, { mode: 0o600 });
  }

  #read(line: string): void {
    try {
      this.#set(JSON.parse(line) as Line);
    } catch {
      // The end of a killed run.
    }
  }

  #set([path, file]: Line): void {
    if (file) this.#files.set(path, file);
    else this.#files.delete(path);
  }

  async #compact(): Promise<void> {
    const lines = [...this.#files].map((line) => `${JSON.stringify(line)}\n`);
    const temporary = `${this.location}.${process.pid}`;
    await writeFile(temporary, lines.join(''), { mode: 0o600 });
    await rename(temporary, this.location);
  }
}
