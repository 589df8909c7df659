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

/** What the caller knows of a new version; the bucket adds when and where. */
export type Draft = Omit<ObjectDescription, 'modified' | 'blob'>;

/**
 * The objects of one bucket. Small ones live in their record, larger ones in a blob of their own that never changes.
 * A version appears when its record gets its name; by then all its bytes are on disk. Checks, rename and index change
 * happen without a pause in between, which makes them one step for all requests of this process.
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
   * Makes the body the current version of its key; resolves when that survives a power cut. The body is used up.
   * Throws what the guard throws, and NoSuchBucket; then nothing has changed.
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
   * Gives the bytes of a current version a new description, here or in another bucket. Large ones are not copied but
   * get a second name. Like `open`, call it in the same tick as `find`.
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

  /** Removes the current version if the guard agrees; without one there is nothing to do. */
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
   * Opens the file with the bytes of a version. It must still be the current one, so call this in the same tick as
   * `find`; once open, it stays readable whatever happens to the object. The caller closes it.
   */
  open(version: ObjectVersion): number {
    const fd = openSync(this.pathOf(version), 'r');
    if (fstatSync(fd).size === version.offset + version.size) return fd;
    closeSync(fd);
    throw new Error(`${this.pathOf(version)} does not have the length its record states`);
  }

  /** Reads bytes of a current version at once; meant for small pieces. */
  read(version: ObjectVersion, start: number, length: number): Buffer {
    const fd = this.open(version);
    try {
      return readFully(fd, version.offset + start, length);
    } finally {
      closeSync(fd);
    }
  }

  /** Refuses further changes and ends unfinished uploads. Throws BucketNotEmpty. */
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
      // Both have to be on disk before the record names the blob; in which order they get there does not matter.
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
    // From here on the new version is the one on disk, whatever the flush says, so the index has to agree.
    const previous = this.index.set(version);
    await this.records.folder.flush();
    if (previous) this.disposeBlob(previous);
    return version;
  }

  /** Only once nothing on disk names the blob. Readers that have it open finish undisturbed. */
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
        this.report(`${this.records.pathOf(name)} does not fit its key or its bytes and was skipped`);
      }
    }
    this.removeUnreferencedBlobs(blobs, skipped);
    return new ObjectIndex(versions);
  }

  /** A crash can come between the appearance of an object and the removal of the upload it was made from. */
  private removeCompletedUploads(): void {
    for (const upload of this.uploads.all()) {
      if (this.index.find(upload.description.key)?.uploadId !== upload.id) continue;
      this.uploads.remove(upload).catch((error: unknown) => this.report(`upload ${upload.id} stays: ${String(error)}`));
    }
  }

  /** Removes blobs no record names. With damaged records around, one of those may be the last copy of something. */
  private removeUnreferencedBlobs(unreferenced: ReadonlySet<string>, skipped: number): void {
    if (skipped > 0 && unreferenced.size > 0) {
      this.report(
        `${this.blobs.path} keeps ${unreferenced.size} unreferenced blobs until the damaged records are gone`,
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

/** Keys may hold anything, also `..` and 1024 bytes; their digest is always a good file name. */
function recordName(key: string): string {
  return hash('sha256', key);
}
