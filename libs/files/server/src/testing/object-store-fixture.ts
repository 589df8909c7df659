import { Readable } from 'node:stream';
import type { ObjectRead, ObjectStore, ReadConditions, StoredObject } from '../application/object-store.port';
import type { WriteCondition } from '../domain/conditions';
import { type WorkspaceKey, workspaceKey, type WorkspaceRoot, workspaceRoot } from '../domain/workspace-key';

interface PutOptions {
  readonly condition?: WriteCondition;
  readonly size?: number | 'unknown';
  /** Whether the body is a buffer instead of a stream. */
  readonly isHeld?: boolean;
  readonly signal?: AbortSignal;
}

/** Shortcuts to write and read objects in the store under test. */
export class ObjectStoreFixture {
  readonly neverAborted = new AbortController().signal;
  #userCount = 0;

  constructor(readonly open: () => ObjectStore) {}

  newWorkspace(): WorkspaceRoot {
    const issuer = `https://contract.example/${process.hrtime.bigint()}`;
    return workspaceRoot({ issuer, subject: `${this.#userCount++}` });
  }

  /** A key in a new workspace. */
  newKey(path: string): WorkspaceKey {
    return workspaceKey(this.newWorkspace(), path);
  }

  put(key: WorkspaceKey, bytes: string | Buffer, more: PutOptions = {}): Promise<StoredObject> {
    const { condition, size = Buffer.byteLength(bytes), isHeld = false, signal = this.neverAborted } = more;
    const body = Readable.from(bytes.length > 0 ? [Buffer.from(bytes)] : [], { objectMode: false });
    return this.open().put(key, {
      body: isHeld ? Buffer.from(bytes) : body,
      contentType: 'text/markdown',
      condition,
      signal,
      ...(size === 'unknown' ? {} : { size }),
    });
  }

  async read(key: WorkspaceKey, conditions: ReadConditions = {}): Promise<{ found: ObjectRead; text: string }> {
    const found = (await this.open().get(key, conditions, this.neverAborted)) as ObjectRead;
    const bytes = Buffer.isBuffer(found.body) ? found.body : Buffer.concat(await found.body.toArray());
    return { found, text: bytes.toString() };
  }
}
