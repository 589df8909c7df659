import type { RevisionScope } from '@homeport/hosting/contracts';

/** What an instance runs: a deploy with one version of the app's variables. */
export interface Revision {
  readonly deployId: string;
  /** Increases with every change of the variables and with every restart. */
  readonly version: number;
  readonly scope: RevisionScope;
}

/** @returns the same text for equal revisions. */
export function revisionKey({ deployId, version, scope }: Revision): string {
  return `${deployId}/${version}/${scope}`;
}

/** Whether the first revision differs from the second one only by older variables. */
export function isOlderVersion(one: Revision, other: Revision): boolean {
  return one.deployId === other.deployId && one.scope === other.scope && one.version < other.version;
}
