import type { RevisionScope, ServerPlan } from '@homeport/hosting/contracts';
import { type BundleFile, RuntimeDirectory, type ServerRecord } from '../../runtime/application/runtime-directory.port';
import type { Revision } from '../../runtime/domain/revision';

export const NODE_PLAN: ServerPlan = { framework: 'node', kind: 'script', entry: 'server.mjs', environment: {} };

/** The directory in memory. */
export class FakeRuntimeDirectory extends RuntimeDirectory {
  /** By deploy. */
  readonly servers = new Map<string, ServerRecord>();
  readonly files = new Map<string, readonly BundleFile[]>();
  /** By app. */
  readonly live = new Map<string, Revision>();
  readonly environments = new Map<string, Readonly<Record<string, string>>>();
  readonly unchecked: string[] = [];
  failure: Error | undefined;

  add(deployId: string, appId: string, version = 1, startScope: RevisionScope = 'production'): this {
    this.servers.set(deployId, { appId, plan: NODE_PLAN, version, startScope });
    return this;
  }

  async findServer(deployId: string): Promise<ServerRecord | undefined> {
    if (this.failure) throw this.failure;
    return this.servers.get(deployId);
  }

  async listFiles(deployId: string): Promise<readonly BundleFile[]> {
    return this.files.get(deployId) ?? [];
  }

  async environmentOf(appId: string, scope: RevisionScope): Promise<Readonly<Record<string, string>>> {
    return this.environments.get(`${appId} ${scope}`) ?? {};
  }

  async findLive(appId: string): Promise<Revision | undefined> {
    return this.live.get(appId);
  }

  async listUnchecked(): Promise<readonly string[]> {
    return this.unchecked;
  }

  async findRunnable(deployIds: readonly string[]): Promise<ReadonlySet<string>> {
    return new Set(deployIds.filter((id) => this.servers.has(id)));
  }
}
