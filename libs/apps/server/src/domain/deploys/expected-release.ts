import { DeployNotActive } from './deploys.errors';

/** What somebody saw who asks for a roll-back: nothing may happen when it is not so any more. */
export interface ExpectedRelease {
  /** The active deploy. */
  readonly from?: string;
  /** The one that a roll-back would show. */
  readonly to?: string;
}

/**
 * Ids are compared without case, as PostgreSQL compares them.
 * @param seen what somebody takes for the id; undefined when they did not say. @throws {DeployNotActive}
 */
export function assertExpected(id: string | null | undefined, seen: string | undefined): void {
  if (seen !== undefined && seen.toLowerCase() !== id) throw new DeployNotActive();
}
