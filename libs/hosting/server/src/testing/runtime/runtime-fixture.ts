import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BlobStore } from '@homeport/platform/server/blobs';
import { PostgresNotifications, PostgresPool } from '@homeport/platform/server/postgres';
import { LocalBundleFolders } from '../../runtime/adapters/files/local-bundle-folders';
import { PostgresRuntimeDirectory } from '../../runtime/adapters/postgres/postgres-runtime-directory';
import { PostgresRuntimeRecords } from '../../runtime/adapters/postgres/postgres-runtime-records';
import { RUNTIME_LIMITS, type RuntimeLimits } from '../../runtime/domain/runtime-limits';
import { PooledRuntime } from '../../runtime/adapters/pooled/pooled-runtime';
import { InstanceLauncher } from '../../runtime/application/instance-launcher';
import { RuntimeProgram } from '../../runtime/runtime-program';
import { BareSandbox } from '../../runtime/sandbox/bare-sandbox';

/** A runtime in this process, over a database and a blob store. */
export class RuntimeFixture {
  readonly errors: unknown[] = [];
  readonly runtime: RuntimeProgram;
  readonly #pool: PostgresPool;

  constructor(
    url: string,
    readonly folder: string,
    blobs: BlobStore,
    changed: Partial<RuntimeLimits>,
  ) {
    const limits = { ...RUNTIME_LIMITS, stopGraceMs: 0, ...changed };
    this.#pool = new PostgresPool({ url, poolSize: 4, applicationName: 'homeport-runtime' });
    const directory = new PostgresRuntimeDirectory(this.#pool, ({ sealed }) => sealed.toString());
    const onError = (error: unknown) => void this.errors.push(error);
    const bundles = new LocalBundleFolders({ folder, directory, blobs });
    const sandbox = new BareSandbox({ runDirectory: join(folder, 'run'), node: process.execPath });
    const launcher = new InstanceLauncher({ directory, bundles, sandbox, limits });
    const now = () => performance.now();
    this.runtime = new RuntimeProgram({
      folder,
      directory,
      records: new PostgresRuntimeRecords(this.#pool, randomUUID()),
      bundles,
      createRuntime: (onLine) =>
        new PooledRuntime({ directory, sandbox, launcher, limits, memoryBytes: 1024 ** 3, now, onLine }),
      limits,
      notifications: new PostgresNotifications({ url, channel: 'homeport_runtime', applicationName: 'changes' }),
      isHealthy: () => true,
      log: { warn: onError, error: onError },
    });
  }

  get socketPath(): string {
    return join(this.folder, 'runtime.sock');
  }

  async close(): Promise<void> {
    await this.runtime.close(0);
    await this.#pool.close();
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** Starts a runtime that an edge on `folder` can reach. */
export async function openRuntime(
  url: string,
  blobs: BlobStore,
  { folder, limits = {} }: { readonly folder?: string; readonly limits?: Partial<RuntimeLimits> } = {},
): Promise<RuntimeFixture> {
  const at = folder ?? (await newRuntimeFolder());
  const fixture = new RuntimeFixture(url, at, blobs, limits);
  await fixture.runtime.open();
  return fixture;
}

export function newRuntimeFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'hp-runtime-'));
}
