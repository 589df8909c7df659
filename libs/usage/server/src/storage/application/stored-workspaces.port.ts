/** The workspaces in object storage. Methods reject with StorageUnavailable and the other errors of the storage. */
export abstract class StoredWorkspaces {
  /** @returns the bytes of all files. */
  abstract bytesOf(workspace: string): Promise<bigint>;

  /** Lists the workspaces that have files, in pages. */
  abstract pages(): AsyncIterable<readonly string[]>;
}
