/** A path shortened to at most `limit` steps: first step, hidden middle, last steps. */
export interface CollapsedPath<T> {
  readonly first: readonly T[];
  readonly left: readonly T[];
  readonly last: readonly T[];
}

/** Hides the middle of a long path. @param limit at least 2. */
export function collapsePath<T>(steps: readonly T[], limit: number): CollapsedPath<T> {
  if (steps.length <= limit) return { first: [], left: [], last: steps };
  const end = steps.length - (limit - 1);
  return { first: steps.slice(0, 1), left: steps.slice(1, end), last: steps.slice(end) };
}
