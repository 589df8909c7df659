/** Parameters that a query must have; a value `:name` matches any value. */
export type QueryConditions = readonly (readonly [name: string, value: string])[];

/** Maximum number of conditions of one rule. */
const MAX_CONDITIONS = 10;
/** Maximum number of arrangements of parameter names in one file, counted separately for each arrangement of paths. */
const MAX_CONDITION_SETS = 64;
/** Maximum number of query parameters that are compared with conditions. */
const MAX_PARAMETERS = 50;

const ENCODED = /[%+]/;

const isPlaceholder = (value: string) => value.startsWith(':');

/** Limits the conditions of a file, so that comparing them stays cheap. */
export class ConditionLimits {
  readonly #arrangements = new Set<string>();

  /** @param pathShape equal for paths with the same arrangement. @returns why the limits reject the conditions. */
  faultOf(conditions: QueryConditions, pathShape: string): string | undefined {
    if (conditions.length > MAX_CONDITIONS) return `The line has more than ${MAX_CONDITIONS} conditions on the query.`;
    const arrangement = `${pathShape} ${arrangementOf(conditions)}`;
    if (!this.#arrangements.has(arrangement) && this.#arrangements.size === MAX_CONDITION_SETS) {
      return `There are more than ${MAX_CONDITION_SETS} different sets of conditions on the query.`;
    }
    this.#arrangements.add(arrangement);
    return undefined;
  }
}

/** Values by their conditions on the query. Conditions that differ only in the parameter values cost one lookup. */
export class ConditionIndex<T> {
  readonly #groups = new Map<string, { readonly conditions: QueryConditions; readonly values: Map<string, T> }>();

  /** Adds a value; of several values with equal conditions the first wins. */
  add(conditions: QueryConditions, value: T): void {
    const arrangement = arrangementOf(conditions);
    const group = this.#groups.get(arrangement) ?? { conditions, values: new Map<string, T>() };
    this.#groups.set(arrangement, group);
    const key = keyOf(conditions, new Map(conditions)) as string;
    if (!group.values.has(key)) group.values.set(key, value);
  }

  /** @returns the values whose conditions a query meets, at most one for each set of names. */
  matching(sent: ReadonlyMap<string, string>): readonly T[] {
    const found: T[] = [];
    for (const { conditions, values } of this.#groups.values()) {
      const key = keyOf(conditions, sent);
      const value = key === undefined ? undefined : values.get(key);
      if (value !== undefined) found.push(value);
    }
    return found;
  }
}

function arrangementOf(conditions: QueryConditions): string {
  return JSON.stringify(conditions.map(([name, value]) => [name, isPlaceholder(value)]));
}

/** A key from the parameter values that the conditions name; undefined when one is missing. */
function keyOf(conditions: QueryConditions, sent: ReadonlyMap<string, string>): string | undefined {
  let key = '';
  for (const [name, value] of conditions) {
    const found = sent.get(name);
    if (found === undefined) return undefined;
    if (!isPlaceholder(value)) key += `${found.length}:${found}`;
  }
  return key;
}

/**
 * Picks the parameters with one of these names from a query. Of a repeated parameter the first value wins; parameters
 * beyond the limit are ignored.
 */
export function pickParameters(names: ReadonlySet<string>, query: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const pair of query.split('&', MAX_PARAMETERS)) {
    const end = pair.indexOf('=');
    const name = end < 0 ? pair : pair.slice(0, end);
    // Decoding is expensive, so it is skipped when nothing is encoded.
    const [[decoded, value]] = ENCODED.test(pair)
      ? ([...new URLSearchParams(`&${pair}`)] as [[string, string]])
      : [[name, end < 0 ? '' : pair.slice(end + 1)]];
    if (names.has(decoded) && !found.has(decoded)) found.set(decoded, value);
  }
  return found;
}
