import { hash, randomUUID } from 'node:crypto';
import { closeSync, fstatSync, openSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Precondition } from '../protocol/conditions.ts';
import { S3Error } from '../protocol/errors.ts';
import type { Report } from '../report.ts';
import { BodyFile } from './body-file.ts';
import { DurableFolder } from './durable-folder.ts';
import { MultipartUploads } from './multipart-uploads.ts';
import { ObjectIndex } from './object-index.ts';
import { parseDescription } from './object-version.ts';
import type { ObjectDescription, ObjectVersion } from './object-version.ts';
import { readFully, shareFile } from './file-reads.ts';
import { RecordFolder } from './record-folder.ts';
import type { StagedRecord } from './record-folder.ts';
import type { Scratch } from './scratch.ts';

/** A new version from the caller; the bucket adds time and location. */
export type Draft = Omit<ObjectDescription, 'modified' | 'blob'>;

/**
 * The objects of one bucket. Small objects are stored in their record, larger ones in a separate, immutable blob. A
 * version becomes visible when its record is renamed to its final name; all of its bytes are on disk by then. Check,
 * rename and index update run synchronously, which makes them atomic for all requests of this process.
 */
export class Bucket {
  readonly name: string;
  readonly created: Date;
  readonly uploads: MultipartUploads;
  readonly index: ObjectIndex;
  private readonly records: RecordFolder;
  private readonly blobs: DurableFolder;
  private readonly scratch: Scratch;
  private readonly report: Report;
  private deleted = false;

  constructor(path: string, { name, created, scratch, report }: BucketContext) {
    this.name = name;
    this.created = created;
    this.scratch = scratch;
    this.report = report;
    this.records = new RecordFolder(join(path, 'objects'), scratch);
    this.blobs = new DurableFolder(join(path, 'blobs'));
    this.uploads = new MultipartUploads(join(path, 'uploads'), scratch, report);
    this.index = this.load();
    this.removeCompletedUploads();
  }

  find(key: string): ObjectVersion | undefined {
    return this.index.find(key);
  }

  /** Throws NoSuchKey. */
  get(key: string): ObjectVersion {
    const version = this.index.find(key);
    if (!version) throw new S3Error('NoSuchKey');
    return version;
  }

  newBody(): BodyFile {
    return new BodyFile(this.scratch);
  }

  /**
   * Makes the body the current version of its key and consumes it; resolves when the version survives a power failure.
   * Throws the guard's error, or NoSuchBucket; nothing has changed then.
   */
  async store(draft: Draft, body: BodyFile, guard: Precondition): Promise<ObjectVersion> {
    const modified = Date.now();
    const inline = body.inline();
    if (inline) return this.publish(await this.stage({ ...draft, modified }, inline), guard);
    const blob = randomUUID();
    const path = await body.finish();
    return this.storeBlob({ ...draft, modified, blob }, guard, () => this.scratch.promote(path, this.blobs.join(blob)));
  }

  /**
   * Copies a current version with a new description, also to another bucket. Large ones are hard-linked instead of
   * copied. Like `open`, call it in the same tick as `find`.
   */
  async storeCopy(
    draft: Draft,
    source: { bucket: Bucket; version: ObjectVersion },
    guard: Precondition,
  ): Promise<ObjectVersion> {
    const modified = Date.now();
    if (source.version.blob === undefined) {
      const bytes = source.bucket.read(source.version, 0, source.version.size);
      return this.publish(await this.stage({ ...draft, modified }, bytes), guard);
    }
    const blob = randomUUID();
    const from = source.bucket.pathOf(source.version);
    return this.storeBlob({ ...draft, modified, blob }, guard, () => shareFile(from, this.blobs.join(blob)));
  }

  /** Removes the current version if the guard allows it; ignores a missing object. */
  async delete(key: string, guard: Precondition): Promise<void> {
    const current = this.index.find(key);
    guard(current);
    if (!current) return;
    this.records.remove(recordName(key));
    this.index.delete(key);
    await this.records.folder.flush();
    this.disposeBlob(current);
  }

  /**
   * Opens the file with the bytes of a version. The version must still be current, so call this in the same tick as
   * `find`; once open, the file stays readable even if the object changes. The caller closes it.
   */
  open(version: ObjectVersion): number {
    const fd = openSync(this.pathOf(version), 'r');
    if (fstatSync(fd).size === version.offset + version.size) return fd;
    closeSync(fd);
    throw new Error(`${this.pathOf(version)} does not have the length its record states`);
  }

  /** Reads bytes of a current version synchronously; meant for small reads. */
  read(version: ObjectVersion, start: number, length: number): Buffer {
    const fd = this.open(version);
    try {
      return readFully(fd, version.offset + start, length);
    } finally {
      closeSync(fd);
    }
  }

  /** Rejects further changes and removes unfinished uploads. Throws BucketNotEmpty. */
  markDeleted(): void {
    if (this.index.size > 0) throw new S3Error('BucketNotEmpty');
    this.deleted = true;
    for (const upload of this.uploads.all()) upload.remove();
  }

  private pathOf(version: ObjectVersion): string {
    return version.blob === undefined ? this.records.pathOf(recordName(version.key)) : this.blobs.join(version.blob);
  }

  private async storeBlob(
    description: ObjectDescription & { readonly blob: string },
    guard: Precondition,
    place: () => void | Promise<void>,
  ): Promise<ObjectVersion> {
    try {
      await place();
      // Both must be on disk before the record names the blob, in any order.
      const [staged, flushed] = await Promise.allSettled([this.stage(description), this.blobs.flush()]);
      if (staged.status === 'rejected') throw staged.reason;
      if (flushed.status === 'rejected') {
        this.scratch.dispose(staged.value.path);
        throw flushed.reason;
      }
      return await this.publish(staged.value, guard);
    } catch (error) {
      const named = this.index.find(description.key)?.blob === description.blob;
      if (!named) this.scratch.dispose(this.blobs.join(description.blob));
      throw this.deleted ? new S3Error('NoSuchBucket') : error;
    }
  }

  private async stage(description: ObjectDescription, bytes?: Buffer): Promise<StagedVersion> {
    const { path, offset } = await this.records.stage(description, bytes);
    return { path, offset, version: { ...description, offset: bytes ? offset : 0 } };
  }

  private async publish(staged: StagedVersion, guard: Precondition): Promise<ObjectVersion> {
    const { version } = staged;
    try {
      if (this.deleted) throw new S3Error('NoSuchBucket');
      guard(this.index.find(version.key));
      this.records.publish(staged, recordName(version.key));
    } catch (error) {
      this.scratch.dispose(staged.path);
      throw error;
    }
    // The new version is on disk from here on, even if the flush fails, so the index must match.
    const previous = this.index.set(version);
    await this.records.folder.flush();
    if (previous) this.disposeBlob(previous);
    return version;
  }

  /** Called once no record names the blob. Readers that have it open can finish. */
  private disposeBlob(version: ObjectVersion): void {
    if (version.blob !== undefined) this.scratch.dispose(this.blobs.join(version.blob));
  }

  private load(): ObjectIndex {
    const { records, damaged } = this.records.load(parseDescription, this.report);
    const blobs = new Set(readdirSync(this.blobs.path));
    const versions: ObjectVersion[] = [];
    let skipped = damaged;
    for (const { name, value, offset, trailing } of records) {
      const { blob } = value;
      const complete = blob === undefined ? trailing === value.size : trailing === 0 && blobs.delete(blob);
      if (complete && recordName(value.key) === name) {
        versions.push({ ...value, offset: blob === undefined ? offset : 0 });
      } else {
        skipped++;
        this.report(`${this.records.pathOf(name)} does not match its key or its bytes and was skipped`);
      }
    }
    this.removeUnreferencedBlobs(blobs, skipped);
    return new ObjectIndex(versions);
  }

  /** A crash may occur after an object was published and before its upload was removed. */
  private removeCompletedUploads(): void {
    for (const upload of this.uploads.all()) {
      if (this.index.find(upload.description.key)?.uploadId !== upload.id) continue;
      this.uploads.remove(upload).catch((error: unknown) => this.report(`upload ${upload.id} stays: ${String(error)}`));
    }
  }

  /** Removes blobs that no record names, unless records are damaged: such a blob may be the last copy of an object. */
  private removeUnreferencedBlobs(unreferenced: ReadonlySet<string>, skipped: number): void {
    if (skipped > 0 && unreferenced.size > 0) {
      this.report(
        `${this.blobs.path} keeps ${unreferenced.size} unreferenced blobs until the damaged records are removed`,
      );
      return;
    }
    for (const blob of unreferenced) this.scratch.dispose(this.blobs.join(blob));
  }
}

interface BucketContext {
  readonly name: string;
  readonly created: Date;
  readonly scratch: Scratch;
  readonly report: Report;
}

interface StagedVersion extends StagedRecord {
  readonly version: ObjectVersion;
}

/** Keys may contain any characters, also `..`, and have 1024 bytes; their digest is always a valid file name. */
function recordName(key: string): string {
  return hash('sha256', key);
}
