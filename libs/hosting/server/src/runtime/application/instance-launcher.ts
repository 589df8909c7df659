import type { Revision } from '../domain/revision';
import type { RuntimeLimits } from '../domain/runtime-limits';
import type { RuntimeDirectory, ServerRecord } from './runtime-directory.port';
import type { Sandbox, SandboxedProcess, SandboxLine } from './sandbox.port';

/** Provides the files of deploys as folders on this machine. */
export abstract class BundleFolders {
  /** @returns the folder of the deploy's files, which stays unchanged. Repeating is safe. */
  abstract prepare(deployId: string): Promise<string>;
}

export interface InstanceLauncherOptions {
  readonly directory: RuntimeDirectory;
  readonly bundles: BundleFolders;
  readonly sandbox: Sandbox;
  readonly limits: RuntimeLimits;
}

export interface LaunchRequest {
  readonly instanceId: string;
  readonly revision: Revision;
  readonly server: ServerRecord;
  readonly onLine: (line: SandboxLine) => void;
}

/** Starts the server of a revision in a sandbox. */
export class InstanceLauncher {
  constructor(private readonly options: InstanceLauncherOptions) {}

  async launch({ instanceId, revision, server, onLine }: LaunchRequest): Promise<SandboxedProcess> {
    const { directory, bundles, sandbox, limits } = this.options;
    const [appFolder, environment] = await Promise.all([
      bundles.prepare(revision.deployId),
      directory.environmentOf(server.appId, revision.scope),
    ]);
    const { memoryBytes, cpus, processes, tmpBytes } = limits;
    return sandbox.launch({
      instanceId,
      appId: server.appId,
      appFolder,
      plan: server.plan,
      environment,
      limits: { memoryBytes, cpus, processes, tmpBytes },
      onLine,
    });
  }
}
