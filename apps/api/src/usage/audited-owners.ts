import { workspaceRoot } from '@homeport/files/server';
import type { AuditedPerson } from '@homeport/organizations/server';
import { WorkspaceOwners } from '@homeport/usage/server';

/** Attributes the workspace of a person to the organization for which the person last changed something. */
export class AuditedOwners extends WorkspaceOwners {
  /** @param people each with the organization of the last action. */
  constructor(private readonly people: () => AsyncIterable<readonly AuditedPerson[]>) {
    super();
  }

  async ownersOf(workspaces: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const wanted = new Set<string>(workspaces);
    const owners = new Map<string, string>();
    for await (const page of this.people()) {
      for (const person of page) {
        const workspace = workspaceRoot(person);
        if (wanted.has(workspace)) owners.set(workspace, person.organization);
      }
    }
    return owners;
  }
}
