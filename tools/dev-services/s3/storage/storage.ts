import { mkdirSync, readdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { S3Error } from '../protocol/errors.ts';
import { isBucketName } from '../protocol/target.ts';
import type { Report } from '../report.ts';
import { Bucket } from './bucket.ts';
import { lockFolder } from './lock-folder.ts';
import { DurableFolder } from './durable-folder.ts';
import { Scratch } from './scratch.ts';

/** All buckets of a server, for one process at a time. Throws SetupFailed when another process uses the folder. */
export class Storage {
  private readonly scratch: Scratch;
  private readonly folder: DurableFolder;
  private readonly report: Report;
  private readonly buckets = new Map<string, Bucket>();
  private readonly release: () => void;

  constructor(path: string, report: Report) {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    this.release = lockFolder(path);
    this.report = report;
    try {
      this.scratch = new Scratch(join(path, 'tmp'));
      this.folder = new DurableFolder(join(path, 'buckets'));
      this.openBuckets();
    } catch (error) {
      this.release();
      throw error;
    }
  }

  list(): Bucket[] {
    return [...this.buckets.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** Throws NoSuchBucket. */
  get(name: string): Bucket {
    const bucket = this.buckets.get(name);
    if (!bucket) throw new S3Error('NoSuchBucket');
    return bucket;
  }

  has(name: string): boolean {
    return this.buckets.has(name);
  }

  /** Throws InvalidBucketName or BucketAlreadyOwnedByYou. */
  async create(name: string): Promise<void> {
    if (!isBucketName(name)) throw new S3Error('InvalidBucketName');
    if (this.buckets.has(name)) throw new S3Error('BucketAlreadyOwnedByYou');
    mkdirSync(this.folder.join(name));
    this.openBucket(name);
    await this.folder.flush();
  }

  /** Removes an empty bucket with its unfinished uploads. Throws NoSuchBucket or BucketNotEmpty. */
  async delete(name: string): Promise<void> {
    this.get(name).markDeleted();
    this.buckets.delete(name);
    const path = this.scratch.newPath();
    renameSync(this.folder.join(name), path);
    this.scratch.dispose(path);
    await this.folder.flush();
  }

  /** Waits for pending removals and releases the folder. */
  async close(): Promise<void> {
    await this.scratch.close();
    this.release();
  }

  private openBuckets(): void {
    for (const name of readdirSync(this.folder.path)) {
      if (isBucketName(name)) this.openBucket(name);
      else this.report(`${this.folder.join(name)} is not named like a bucket and was skipped`);
    }
  }

  private openBucket(name: string): void {
    const path = this.folder.join(name);
    const { scratch, report } = this;
    this.buckets.set(name, new Bucket(path, { name, created: statSync(path).birthtime, scratch, report }));
  }
}
