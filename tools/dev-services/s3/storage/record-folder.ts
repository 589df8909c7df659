import { closeSync, fstatSync, openSync, readdirSync, readSync, renameSync, rmSync } from 'node:fs';
import { hasCode } from '../../errors.ts';
import type { Report } from '../report.ts';
import { writeSmallFile } from './body-file.ts';
import { DurableFolder } from './durable-folder.ts';
import type { Scratch } from './scratch.ts';

/** A complete and durable record without its final name. */
export interface StagedRecord {
  readonly path: string;
  /** Offset of the bytes after the description. */
  readonly offset: number;
}

export interface LoadedRecord<T> {
  readonly name: string;
  readonly value: T;
  readonly offset: number;
  /** Number of bytes after the description. */
  readonly trailing: number;
}

const SUFFIX = '.rec';
const NEWLINE = 0x0a;
/** Longer than most descriptions; longer ones need a second read. */
const FIRST_READ_BYTES = 4096;

/**
 * Small files of one JSON line, optionally followed by raw bytes. Records are replaced by an atomic rename: after a
 * crash, either the old or the new record exists.
 */
export class RecordFolder {
  readonly folder: DurableFolder;
  private readonly scratch: Scratch;

  constructor(path: string, scratch: Scratch) {
    this.folder = new DurableFolder(path);
    this.scratch = scratch;
  }

  pathOf(name: string): string {
    return this.folder.join(name + SUFFIX);
  }

  /** Writes and syncs a record under a scratch name. */
  async stage(value: object, bytes?: Buffer): Promise<StagedRecord> {
    const description = Buffer.from(`${JSON.stringify(value)}\n`);
    const path = this.scratch.newPath();
    try {
      await writeSmallFile(path, bytes ? [description, bytes] : [description]);
    } catch (error) {
      this.scratch.dispose(path);
      throw error;
    }
    return { path, offset: description.length };
  }

  /**
   * Renames a staged record to its final name. Synchronous, so that a preceding check and a following index update are
   * atomic for all requests. Durable after `folder.flush()`.
   */
  publish(staged: StagedRecord, name: string): void {
    renameSync(staged.path, this.pathOf(name));
  }

  remove(name: string): void {
    rmSync(this.pathOf(name), { force: true });
  }

  /** Reads all records; reports damaged ones and leaves them unchanged. */
  load<T>(parse: (value: unknown) => T | undefined, report: Report): { records: LoadedRecord<T>[]; damaged: number } {
    const records: LoadedRecord<T>[] = [];
    let damaged = 0;
    for (const file of readdirSync(this.folder.path)) {
      if (!file.endsWith(SUFFIX)) continue;
      const name = file.slice(0, -SUFFIX.length);
      const record = readRecord(this.pathOf(name));
      const value = record && parse(record.value);
      if (record && value !== undefined) {
        records.push({ name, value, offset: record.offset, trailing: record.trailing });
      } else {
        damaged++;
        report(`${this.pathOf(name)} is damaged and was skipped; remove it, or restore it from a backup`);
      }
    }
    return { records, damaged };
  }
}

/** Returns undefined for a file that contains no record or cannot be read. */
function readRecord(path: string): { value: unknown; offset: number; trailing: number } | undefined {
  let fd: number | undefined;
  try {
    fd = openSync(path, 'r');
    const { size } = fstatSync(fd);
    const line = readLine(fd, size);
    if (!line) return undefined;
    const offset = line.length + 1;
    return { value: JSON.parse(line.toString('utf8')), offset, trailing: size - offset };
  } catch (error) {
    if (error instanceof SyntaxError || hasCode(error, 'EIO', 'EISDIR', 'EACCES', 'ENOENT')) return undefined;
    throw error;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

function readLine(fd: number, size: number): Buffer | undefined {
  for (const length of [Math.min(size, FIRST_READ_BYTES), size]) {
    const buffer = Buffer.allocUnsafe(length);
    const end = buffer.subarray(0, readSync(fd, buffer, 0, length, 0)).indexOf(NEWLINE);
    if (end >= 0) return buffer.subarray(0, end);
  }
  return undefined;
}
