import { isWorkspaceRoot, type WorkspacePrefix, type WorkspaceRoot, WORKSPACES } from '../domain/workspace-key';
import type { ObjectStore } from './object-store.port';

const PAGE_SIZE = 1_000;

/**
 * Lists the workspaces that have files, without their files, in pages.
 * @throws {StorageUnavailable} and the other errors of the storage.
 */
export async function* listWorkspaces(
  store: Pick<ObjectStore, 'list'>,
  pageSize = PAGE_SIZE,
): AsyncGenerator<readonly WorkspaceRoot[]> {
  let cursor: string | undefined;
  do {
    // The only listing above one workspace. It returns roots, which hold the hash of a person.
    const page = await store.list(WORKSPACES as WorkspacePrefix, {
      limit: pageSize,
      delimiter: '/',
      ...(cursor !== undefined && { cursor }),
    });
    yield page.directories.filter(isWorkspaceRoot);
    cursor = page.next;
  } while (cursor !== undefined);
}
