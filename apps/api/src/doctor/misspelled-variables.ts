import type { Environment } from '@homeport/platform/server/config';
import { type CheckReport, warning } from './check';

/** Shorter names resemble ordinary ones, such as HOME and HOST. */
const MIN_NAME_LENGTH = 8;
const MAX_DIFFERENCES = 2;
/** Two differences make another word of a shorter name, such as CLIENT_ID and CLIENT_DIR. */
const MIN_LENGTH_FOR_TWO = 12;

/** Variables that nothing reads, and whose names differ in one or two characters from one that is not set. */
export function misspelledVariables(env: Environment, names: readonly string[]): CheckReport[] {
  const isSet = (name: string) => env[name] !== undefined && env[name] !== '';
  const candidates = names.filter((name) => name.length >= MIN_NAME_LENGTH && !isSet(name));
  return Object.keys(env)
    .filter((name) => isSet(name) && !names.includes(name))
    .flatMap((name) => {
      const meant = candidates.find(
        (each) => differencesOf(name, each) <= (each.length < MIN_LENGTH_FOR_TWO ? 1 : MAX_DIFFERENCES),
      );
      if (meant === undefined) return [];
      const finding = warning(`Homeport does not read ${name}.`, `Rename it to ${meant}, or remove it.`);
      return [{ name: 'configuration', ...finding }];
    });
}

/** How many characters must be inserted, removed or replaced (Levenshtein). */
function differencesOf(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > MAX_DIFFERENCES) return Infinity;
  let previous = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const [at, character] of [...one].entries()) {
    const row = [at + 1];
    for (let column = 1; column <= other.length; column += 1) {
      const replaced = (previous[column - 1] as number) + (character === other[column - 1] ? 0 : 1);
      row.push(Math.min(replaced, (previous[column] as number) + 1, (row[column - 1] as number) + 1));
    }
    previous = row;
  }
  return previous.at(-1) as number;
}
