import type { ObjectVersion } from './object-version.ts';
import { SortedKeys } from './sorted-keys.ts';

/** The current version of every object of a bucket, by key and in key order. */
export class ObjectIndex {
  private readonly versions: Map<string, ObjectVersion>;
  readonly keys: SortedKeys;

  constructor(versions: Iterable<ObjectVersion> = []) {
    this.versions = new Map(Array.from(versions, (version) => [version.key, version]));
    this.keys = SortedKeys.from(this.versions.keys());
  }

  get size(): number {
    return this.versions.size;
  }

  find(key: string): ObjectVersion | undefined {
    return this.versions.get(key);
  }

  /** Returns the replaced version. */
  set(version: ObjectVersion): ObjectVersion | undefined {
    const previous = this.versions.get(version.key);
    if (!previous) this.keys.add(version.key);
    this.versions.set(version.key, version);
    return previous;
  }

  delete(key: string): void {
    if (this.versions.delete(key)) this.keys.delete(key);
  }
}
