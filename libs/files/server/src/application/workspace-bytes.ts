import type { WorkspacePrefix, WorkspaceRoot } from '../domain/workspace-key';
import type { ObjectStore } from './object-store.port';

const PAGE_SIZE = 1_000;

/** Adds up the sizes of all files of a workspace. @throws {StorageUnavailable} and the other errors of the storage. */
export async function workspaceBytes(store: Pick<ObjectStore, 'list'>, root: WorkspaceRoot): Promise<bigint> {
  let bytes = 0n;
  let cursor: string | undefined;
  do {
    const page = await store.list(root as string as WorkspacePrefix, {
      limit: PAGE_SIZE,
      ...(cursor !== undefined && { cursor }),
    });
    for (const { size } of page.objects) bytes += BigInt(size);
    cursor = page.next;
  } while (cursor !== undefined);
  return bytes;
}
