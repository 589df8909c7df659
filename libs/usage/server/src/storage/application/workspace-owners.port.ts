/** Finds out who pays for workspaces from what is known about people. */
export abstract class WorkspaceOwners {
  /** @returns the organizations by workspace; workspaces of unknown people are absent. @throws {DatabaseUnavailable} */
  abstract ownersOf(workspaces: readonly string[]): Promise<ReadonlyMap<string, string>>;
}
