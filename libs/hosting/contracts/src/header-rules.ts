import { PathIndex } from './path-index';
import { parsePattern, segmentsOf } from './path-pattern';
import { headerFault } from './site-headers';
import { type RuleProblem, RuleProblems } from './rule-problems';

/** A response header; its name is in lower case. */
export type Header = readonly [name: string, value: string];

/** A path pattern of `_headers`, and the headers of the responses at matching paths. */
export interface HeaderRule {
  readonly path: string;
  readonly headers: readonly Header[];
}

const MAX_HEADER_RULES = 100;
const LINE_LENGTH = 2_000;
/** Limits for one response. Browsers and proxies accept little more, and the edge caches the headers for every URL. */
const MAX_HEADERS = 50;
const MAX_HEADER_CHARACTERS = 8 * 1024;
const BUDGET_EXCEEDED =
  `A response can have at most ${MAX_HEADERS} headers with ${MAX_HEADER_CHARACTERS.toLocaleString('en')} characters ` +
  'in total; the rest of this path is left out.';

/** Counts the headers of one response against the limits. */
class HeaderBudget {
  #headers = 0;
  #characters = 0;

  admits([name, value]: Header): boolean {
    this.#headers += 1;
    this.#characters += name.length + value.length;
    return this.#headers <= MAX_HEADERS && this.#characters <= MAX_HEADER_CHARACTERS;
  }
}

/** Parses a `_headers` file: paths, each with its headers in the lines below. */
export function parseHeaders(text: string): {
  readonly rules: readonly HeaderRule[];
  readonly problems: readonly RuleProblem[];
} {
  const problems = new RuleProblems('_headers', LINE_LENGTH);
  const rules: { path: string; headers: Header[] }[] = [];
  /** The headers of the current path; undefined when the path is left out. */
  let current: Header[] | undefined;
  let hasPath = false;
  let budget = new HeaderBudget();
  const paths = new PathIndex<true>();
  for (const { number, text: line } of problems.linesOf(text)) {
    if (line.startsWith('/') || /^https?:\/\//i.test(line)) {
      hasPath = true;
      budget = new HeaderBudget();
      const pattern = parsePattern(line);
      const slot = 'fault' in pattern ? pattern : paths.entryFor(pattern, () => true);
      current = undefined;
      if ('fault' in slot) problems.add(number, slot.fault);
      else if (rules.length < MAX_HEADER_RULES) rules.push({ path: line, headers: (current = []) });
      else {
        problems.add(number, `There are more than ${MAX_HEADER_RULES} paths; the rest is left out.`);
        break;
      }
    } else {
      const header = hasPath ? parseHeader(line) : 'The header has no path above it.';
      if (typeof header === 'string') problems.add(number, header);
      else if (!current || budget.admits(header)) current?.push(header);
      else {
        problems.add(number, BUDGET_EXCEEDED);
        current = undefined;
      }
    }
  }
  return { rules: rules.filter(({ headers }) => headers.length > 0), problems: problems.found };
}

/** @returns the header, or the reason for rejecting the line. */
function parseHeader(line: string): Header | string {
  const colon = line.indexOf(':');
  if (colon < 0) return 'The line is neither a path nor "Name: value".';
  const name = line.slice(0, colon).trim().toLowerCase();
  const value = line.slice(colon + 1).trim();
  return headerFault(name, value) ?? [name, value];
}

interface OrderedHeaders {
  readonly order: number;
  readonly headers: readonly Header[];
}

/** The rules of one deploy, indexed so that the cost of a request does not depend on their number. */
export class CompiledHeaders {
  readonly #index = new PathIndex<OrderedHeaders[]>();
  readonly #isEmpty: boolean;
  /** Rules that are not applied, or not all of their headers, because they exceed the limits. */
  readonly skippedRules: number;

  constructor(rules: readonly HeaderRule[]) {
    let skipped = Math.max(0, rules.length - MAX_HEADER_RULES);
    this.#isEmpty = rules.length === 0;
    rules.slice(0, MAX_HEADER_RULES).forEach(({ path, headers }, order) => {
      const pattern = parsePattern(path);
      const slot = 'fault' in pattern ? pattern : this.#index.entryFor(pattern, () => []);
      // Stored rules may have been parsed under higher limits.
      const allowed = headers.filter(([name, value]) => headerFault(name, value) === undefined);
      if ('entry' in slot) slot.entry.push({ order, headers: allowed });
      if (!('entry' in slot) || allowed.length < headers.length) skipped += 1;
    });
    this.skippedRules = skipped;
  }

  /**
   * Finds the headers of all matching rules, in the order of the file, up to the limits. Values of the same header are
   * joined with a comma; for the media type the last value wins.
   * @param path as sent.
   */
  find(path: string): readonly Header[] {
    const segments = this.#isEmpty ? undefined : segmentsOf(path);
    if (!segments) return [];
    const found = new Map<string, string>();
    const budget = new HeaderBudget();
    const matching = this.#index.matching(segments).flat();
    for (const { headers } of matching.toSorted((a, b) => a.order - b.order)) {
      for (const header of headers) {
        if (!budget.admits(header)) return [...found];
        const [name, value] = header;
        const before = found.get(name);
        found.set(name, before === undefined || name === 'content-type' ? value : `${before}, ${value}`);
      }
    }
    return [...found];
  }
}
