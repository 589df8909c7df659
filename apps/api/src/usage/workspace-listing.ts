import { listWorkspaces, type ObjectStore, workspaceBytes, type WorkspaceRoot } from '@homeport/files/server';
import { StoredWorkspaces } from '@homeport/usage/server';

/** Finds and measures workspaces by listing the storage. */
export class WorkspaceListing extends StoredWorkspaces {
  constructor(private readonly store: Pick<ObjectStore, 'list'>) {
    super();
  }

  /** @param workspace a root that `workspaceRoot` or `listWorkspaces` returned. */
  bytesOf(workspace: string): Promise<bigint> {
    return workspaceBytes(this.store, workspace as WorkspaceRoot);
  }

  pages(): AsyncIterable<readonly string[]> {
    return listWorkspaces(this.store);
  }
}
