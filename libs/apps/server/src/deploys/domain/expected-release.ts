import { ActiveDeployChanged } from './deploys.errors';

/** The state that a rollback request expects. The request fails when the state has changed. */
export interface ExpectedRelease {
  /** The active deploy. */
  readonly from?: string;
  /** The deploy that the rollback would activate. */
  readonly to?: string;
}

/**
 * Checks an id against the expected one. The comparison ignores case, as PostgreSQL does for UUIDs.
 * @param expected the expected id; undefined skips the check.
 * @throws {ActiveDeployChanged} when the ids differ.
 */
export function assertExpected(id: string | null | undefined, expected: string | undefined): void {
  if (expected !== undefined && expected.toLowerCase() !== id) throw new ActiveDeployChanged();
}
