import { createReadStream } from 'node:fs';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { type Extract, extract, type Header } from 'tar-stream';
import type { ArchiveFile } from '../../application/archive-reader.port';
import { ArchiveRejected } from '../../domain/archive.errors';
import type { ArchiveMeter } from '../../domain/archive-limits';
import { type ArchiveEntry, explainError, type Explanations } from './archive-entry';
import { assertEntrySize, TarHeaderValidator } from './tar-header-validator';
import { untilAborted, untilAbortedEach } from '../../application/until-aborted';

const BLOCK = 512;
/** Bytes allowed for headers, padding and the zeros at the end, plus `OVERHEAD_PER_ENTRY` for every entry. */
const OVERHEAD = 1024 * 1024;
const OVERHEAD_PER_ENTRY = 8 * BLOCK;

type TarEntry = Extract extends AsyncIterable<infer Entry> ? Entry : never;

const FAULTS: Partial<Record<Header['type'], string>> = {
  link: 'It is a hard link. A site holds files and folders only.',
  symlink: 'It is a symbolic link. A site holds files and folders only.',
  'character-device': 'It is a device. A site holds files and folders only.',
  'block-device': 'It is a device. A site holds files and folders only.',
  fifo: 'It is a named pipe. A site holds files and folders only.',
};

const EXPLANATIONS: Explanations = [
  [/^Z_BUF_ERROR|Unexpected end of data/, 'The archive is cut off: it ends in the middle of an entry.'],
  [/incorrect header check/, 'The archive is not a gzip file, or other data follows it.'],
  [/^Z_/, 'The archive is damaged: it cannot be unpacked with gzip.'],
  [/Invalid tar header|Invalid header/, 'The archive is damaged, or not a tar file: a header is not valid.'],
  [/exceeds max size/, 'The archive has a header that is too large.'],
];

/** Limits the bytes of a tar file that are not file content, such as headers and padding. */
class TarOverheadLimit {
  readonly #headers = new TarHeaderValidator();
  #allowed = OVERHEAD;
  #seen = 0;

  constructor(private readonly meter: ArchiveMeter) {}

  createTransform(): Transform {
    return new Transform({
      transform: (chunk: Buffer, _encoding, done) => {
        try {
          this.#pass(chunk.length);
          this.#headers.push(chunk);
          done(null, chunk);
        } catch (error) {
          done(error as Error);
        }
      },
    });
  }

  addEntry(size: number): void {
    this.meter.countEntry();
    this.#allowed += OVERHEAD_PER_ENTRY + size;
  }

  #pass(bytes: number): void {
    this.meter.countBytes(bytes);
    this.#seen += bytes;
    if (this.#seen > this.#allowed)
      throw ArchiveRejected.forArchive('The archive has headers or padding that are too large.');
  }
}

/**
 * Reads the entries of a tar.gz file.
 * @throws {ArchiveRejected} when the archive is damaged or exceeds a limit; reading a body may throw it too.
 */
export async function* tarEntries(
  { file, archiveBytes }: ArchiveFile,
  meter: ArchiveMeter,
  signal: AbortSignal,
): AsyncGenerator<ArchiveEntry> {
  const overhead = new TarOverheadLimit(meter);
  const gunzip = createGunzip();
  const tar = extract();
  const pipelineError = pipeline(createReadStream(file), gunzip, overhead.createTransform(), tar, { signal }).then(
    () => undefined,
    (error: unknown) => error,
  );
  try {
    for await (const entry of untilAbortedEach(tar, signal)) {
      const { type, size } = entry.header as { readonly type: Header['type']; readonly size: number | null };
      assertEntrySize(size);
      overhead.addEntry(type === 'directory' ? 0 : (size ?? 0));
      yield* yieldEntry(entry, signal);
    }
    const failure = await untilAborted(pipelineError, signal);
    if (failure !== undefined) throw failure;
    if (gunzip.bytesWritten !== archiveBytes) throw ArchiveRejected.forArchive('The archive has bytes after its end.');
  } catch (error) {
    tar.destroy();
    // The pipeline's error is the cause: the library may only report that it was stopped.
    throw tarFault(error instanceof ArchiveRejected ? error : ((await pipelineError) ?? error));
  } finally {
    tar.destroy();
    await pipelineError;
  }
}

const tarFault = (error: unknown) => explainError(error, EXPLANATIONS, 'The archive is damaged, or not a tar.gz file.');

/** Yields one entry, then skips the bytes that were not read. */
async function* yieldEntry(entry: TarEntry, signal: AbortSignal): AsyncGenerator<ArchiveEntry> {
  const { name, type, size } = entry.header;
  if (type === 'directory') {
    // The library never ends the body stream of a folder that declares a size.
    yield { name, kind: 'folder', size: 0, body: () => Readable.from([]) };
    return;
  }
  const chunks = untilAbortedEach(entry as AsyncIterable<Buffer>, signal);
  const isFile = type === 'file' || type === 'contiguous-file';
  const fault = isFile ? undefined : (FAULTS[type] ?? 'It is neither a file nor a folder.');
  yield { name, kind: 'file', size, ...(fault && { fault }), body: () => bytesOf(chunks) };
  for (let step = await chunks.next(); !step.done; step = await chunks.next());
}

/**
 * Reads the bytes without closing the archive when the reader stops early, which the library's own iterator would do.
 */
async function* bytesOf(chunks: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  try {
    for (let step = await chunks.next(); !step.done; step = await chunks.next()) yield step.value;
  } catch (error) {
    throw tarFault(error);
  }
}
