import type { Deploy } from '@homeport/apps/contracts';

/** The numbers of deploys by id: 1 for the first one of the app that became ready. */
export type DeployNumbers = ReadonlyMap<string, number>;

/**
 * Numbers the deploys of an app that became ready. The API has no numbers, so they are known only when the list contains
 * every deploy that the API has counted: after a deletion, or when older pages are not loaded, there are none.
 * @param counted `App.deploy_count`.
 * @returns an empty map when the numbers are unknown.
 */
export function deployNumbers(deploys: readonly Deploy[], counted: number): DeployNumbers {
  const ready = deploys.flatMap(({ id, ready_at: at }) => (at === null ? [] : [{ id, at }]));
  if (ready.length !== counted) return new Map();
  const inOrder = ready.toSorted((one, other) => one.at.localeCompare(other.at));
  return new Map(inOrder.map(({ id }, index) => [id, index + 1]));
}

/** The number as people write it: "#4"; empty while it is unknown. */
export function numberMessage(number: number | undefined): string {
  return number === undefined ? '' : `#${number}`;
}
