import type { PickedFile } from '@homeport/platform/web';
import { Zip, ZipDeflate, ZipPassThrough } from 'fflate';
import { packedTooLarge, unreadableFile } from './deploy-upload-problems';

/** Formats that are already compressed: compressing them again only costs time. */
const COMPRESSED = /\.(avif|br|gif|gz|jpe?g|m4a|mov|mp[34]|og[agv]|pdf|png|web[mp]|woff2?|zip|zst)$/i;
/** Bytes compressed at a time; takes a few milliseconds. */
const CHUNK = 256 * 1024;
/** Longest time the main thread may be blocked. */
const MAX_TASK_MS = 12;

export interface PackingOptions {
  /** Receives the number of files packed so far. */
  readonly packed: (files: number) => void;
  /** Largest archive that the server accepts, in bytes; `Infinity` while unknown. */
  readonly mostBytes: number;
  readonly signal: AbortSignal;
}

/** Packs files into one ZIP archive and yields to the main thread in between. @throws {HttpProblem} */
export async function siteArchive(
  files: readonly PickedFile[],
  { packed, mostBytes, signal }: PackingOptions,
): Promise<Blob> {
  const parts = new ArchiveParts(mostBytes);
  const zip = new Zip((error, bytes) => parts.add(error, bytes));
  const mainThread = new MainThreadYielder();
  for (const [index, { file, path }] of files.entries()) {
    const entry = COMPRESSED.test(path) ? new ZipPassThrough(path) : new ZipDeflate(path);
    zip.add(entry);
    for (let at = 0; at < file.size; at += CHUNK) {
      entry.push(await bytesOf(file, at));
      await mainThread.yieldWhenDue();
      signal.throwIfAborted();
    }
    entry.push(new Uint8Array(), true);
    packed(index + 1);
  }
  zip.end();
  return parts.archive();
}

async function bytesOf(file: File, at: number): Promise<Uint8Array> {
  try {
    return new Uint8Array(await file.slice(at, at + CHUNK).arrayBuffer());
  } catch {
    throw unreadableFile(file.name);
  }
}

/** Collects the packed bytes and enforces the limit. */
class ArchiveParts {
  readonly #parts: BlobPart[] = [];
  #bytes = 0;

  constructor(private readonly mostBytes: number) {}

  add(error: Error | null, bytes: Uint8Array<ArrayBuffer>): void {
    if (error) throw error;
    this.#parts.push(bytes);
    this.#bytes += bytes.length;
    if (this.#bytes > this.mostBytes) throw packedTooLarge(this.mostBytes);
  }

  archive(): Blob {
    return new Blob(this.#parts);
  }
}

/** Yields regularly, so the page can render and respond to input. */
class MainThreadYielder {
  #since = performance.now();

  async yieldWhenDue(): Promise<void> {
    if (performance.now() - this.#since < MAX_TASK_MS) return;
    await new Promise((resolve) => setTimeout(resolve));
    this.#since = performance.now();
  }
}
