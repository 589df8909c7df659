import { DeployNotActive } from './deploys.errors';

/**
 * Ids are compared without case, as PostgreSQL compares them.
 * @param from the deploy that somebody takes for the active one; undefined when they did not say.
 * @throws {DeployNotActive}
 */
export function demandActive(active: string | null | undefined, from: string | undefined): void {
  if (from !== undefined && from.toLowerCase() !== active) throw new DeployNotActive();
}
