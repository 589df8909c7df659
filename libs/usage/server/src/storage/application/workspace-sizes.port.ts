/** Measures workspaces in object storage. */
export abstract class WorkspaceSizes {
  /** @returns the bytes of all files. @throws {StorageUnavailable} and the other errors of the storage. */
  abstract bytesOf(workspace: string): Promise<bigint>;
}
