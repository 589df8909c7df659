import { randomUUID } from 'node:crypto';
import { readdirSync, renameSync, statSync } from 'node:fs';
import type { Checksum, ChecksumAlgorithm, ChecksumType } from '../protocol/checksums.ts';
import { S3Error } from '../protocol/errors.ts';
import type { StoredHeaders } from '../protocol/headers.ts';
import type { Report } from '../report.ts';
import type { BodyFile } from './body-file.ts';
import { isCount, isRecord } from './object-version.ts';
import { readPieces } from './file-reads.ts';
import { RecordFolder } from './record-folder.ts';
import type { Scratch } from './scratch.ts';

export interface UploadDescription {
  readonly key: string;
  readonly headers: StoredHeaders;
  /** Milliseconds since 1970. */
  readonly initiated: number;
  readonly algorithm?: ChecksumAlgorithm | undefined;
  readonly checksumType?: ChecksumType | undefined;
}

export interface Part {
  readonly number: number;
  readonly size: number;
  /** MD5 in hex. */
  readonly etag: string;
  readonly modified: number;
  readonly checksum?: Checksum | undefined;
  /** Name of the part's file in the folder of the upload. */
  readonly file: string;
}

const DESCRIPTION = 'upload';
const PART_SUFFIX = '.part';

/** An unfinished upload: a folder with a description, and a record and a file per part. */
export class MultipartUpload {
  readonly id: string;
  readonly description: UploadDescription;
  private readonly records: RecordFolder;
  private readonly scratch: Scratch;
  private readonly parts = new Map<number, Part>();
  private state: 'open' | 'busy' | 'gone' = 'open';

  private constructor(
    id: string,
    description: UploadDescription,
    storage: { records: RecordFolder; scratch: Scratch },
  ) {
    this.id = id;
    this.description = description;
    this.records = storage.records;
    this.scratch = storage.scratch;
  }

  /** Prepares the folder under a scratch name, so that the upload appears complete or not at all. */
  static async create(folder: string, description: UploadDescription, scratch: Scratch): Promise<void> {
    const path = scratch.newPath();
    try {
      const records = new RecordFolder(path, scratch);
      records.publish(await records.stage(description), DESCRIPTION);
      await records.folder.flush();
      renameSync(path, folder);
    } catch (error) {
      scratch.dispose(path);
      throw error;
    }
  }

  /** Opens a folder from disk. Reports a damaged description and returns undefined. */
  static load(
    folder: string,
    id: string,
    { scratch, report }: { scratch: Scratch; report: Report },
  ): MultipartUpload | undefined {
    const records = new RecordFolder(folder, scratch);
    const loaded = records.load(parseUploadRecord, report);
    const description = loaded.records.find(({ name }) => name === DESCRIPTION)?.value;
    if (!description || !('key' in description)) {
      report(`${folder} has no description and was skipped`);
      return undefined;
    }
    const upload = new MultipartUpload(id, description, { records, scratch });
    const files = new Set(readdirSync(folder).filter((file) => file.endsWith(PART_SUFFIX)));
    for (const { value } of loaded.records) {
      if (!('number' in value)) continue;
      const complete = files.delete(value.file) && statSync(records.folder.join(value.file)).size === value.size;
      if (complete) upload.parts.set(value.number, value);
    }
    if (loaded.damaged === 0) files.forEach((file) => scratch.dispose(records.folder.join(file)));
    return upload;
  }

  /** Returns the uploaded parts in order. */
  listParts(): Part[] {
    return [...this.parts.values()].sort((a, b) => a.number - b.number);
  }

  findPart(number: number): Part | undefined {
    return this.parts.get(number);
  }

  /**
   * Adds or replaces a part and consumes the body. Throws NoSuchUpload or OperationAborted when the upload is closed.
   */
  async addPart(draft: Omit<Part, 'file' | 'modified'>, body: BodyFile): Promise<void> {
    const part: Part = { ...draft, modified: Date.now(), file: randomUUID() + PART_SUFFIX };
    const path = await body.finish();
    try {
      const staged = await this.records.stage(part);
      try {
        this.assertOpen();
        renameSync(path, this.records.folder.join(part.file));
        this.records.publish(staged, `part-${part.number}`);
      } catch (error) {
        this.scratch.dispose(staged.path);
        throw error;
      }
    } catch (error) {
      this.scratch.dispose(path);
      throw error;
    }
    const previous = this.parts.get(part.number);
    this.parts.set(part.number, part);
    await this.records.folder.flush();
    if (previous) this.scratch.dispose(this.records.folder.join(previous.file));
  }

  /** Reads the bytes of these parts in sequence. */
  async *read(parts: readonly Part[]): AsyncGenerator<Buffer> {
    for (const part of parts) yield* readPieces(this.records.folder.join(part.file), part.size);
  }

  /** Throws NoSuchUpload, or OperationAborted while the upload is being completed. */
  assertOpen(): void {
    if (this.state === 'gone') throw new S3Error('NoSuchUpload');
    if (this.state === 'busy') throw new S3Error('OperationAborted');
  }

  /** Blocks other operations while the work runs. */
  async exclusively<T>(work: () => Promise<T>): Promise<T> {
    this.assertOpen();
    this.state = 'busy';
    try {
      return await work();
    } finally {
      if (this.state === 'busy') this.state = 'open';
    }
  }

  /** Removes the upload atomically; its files are deleted in the background. */
  remove(): void {
    this.state = 'gone';
    const path = this.scratch.newPath();
    renameSync(this.records.folder.path, path);
    this.scratch.dispose(path);
  }
}

function parseUploadRecord(value: unknown): UploadDescription | Part | undefined {
  if (!isRecord(value)) return undefined;
  const description = typeof value['key'] === 'string' && isRecord(value['headers']) && isCount(value['initiated']);
  if (description) return value as unknown as UploadDescription;
  const { number, size, etag, file } = value;
  const part = isCount(number) && isCount(size) && typeof etag === 'string' && typeof file === 'string';
  return part ? (value as unknown as Part) : undefined;
}
