import { type ObjectStore, workspaceBytes, type WorkspaceRoot } from '@homeport/files/server';
import { WorkspaceSizes } from '@homeport/usage/server';

/** Measures workspaces by listing their files. */
export class WorkspaceListing extends WorkspaceSizes {
  constructor(private readonly store: Pick<ObjectStore, 'list'>) {
    super();
  }

  /** @param workspace a root that `workspaceRoot` returned when a file call was noted. */
  bytesOf(workspace: string): Promise<bigint> {
    return workspaceBytes(this.store, workspace as WorkspaceRoot);
  }
}
