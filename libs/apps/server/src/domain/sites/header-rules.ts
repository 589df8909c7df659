import { PathIndex } from './path-index';
import { parsePattern, segmentsOf } from './path-pattern';
import { headerFault } from './site-headers';
import { type RuleProblem, RuleProblems } from './rule-problems';

/** A header field of an answer; its name is in lower case. */
export type Header = readonly [name: string, value: string];

/** A path of `_headers` and what answers below it carry. */
export interface HeaderRule {
  readonly path: string;
  readonly headers: readonly Header[];
}

const MAX_HEADER_RULES = 100;
const LINE_LENGTH = 2_000;
/** Of one answer. Browsers and what stands before an edge take little more, and an edge keeps them for every address. */
const MAX_HEADERS = 50;
const MAX_HEADER_CHARACTERS = 8 * 1024;
const BUDGET_EXCEEDED = `An answer has ${MAX_HEADERS} headers of ${MAX_HEADER_CHARACTERS.toLocaleString('en')} characters in all at most; the rest of this path is left out.`;
/** What is left of an answer for headers. */
class HeaderBudget {
  #headers = 0;
  #characters = 0;

  admits([name, value]: Header): boolean {
    this.#headers += 1;
    this.#characters += name.length + value.length;
    return this.#headers <= MAX_HEADERS && this.#characters <= MAX_HEADER_CHARACTERS;
  }
}

/** The rules of a `_headers` file: a path, and the headers in the lines below it. */
export function parseHeaders(text: string): {
  readonly rules: readonly HeaderRule[];
  readonly problems: readonly RuleProblem[];
} {
  const problems = new RuleProblems('_headers', LINE_LENGTH);
  const rules: { path: string; headers: Header[] }[] = [];
  /** Undefined below a path that is left out. */
  let current: Header[] | undefined;
  let hasPath = false;
  let room = new HeaderBudget();
  const paths = new PathIndex<true>();
  for (const { number, text: line } of problems.linesOf(text)) {
    if (line.startsWith('/') || /^https?:\/\//i.test(line)) {
      hasPath = true;
      room = new HeaderBudget();
      const pattern = parsePattern(line);
      const place = 'fault' in pattern ? pattern : paths.entryFor(pattern, () => true);
      current = undefined;
      if ('fault' in place) problems.add(number, place.fault);
      else if (rules.length < MAX_HEADER_RULES) rules.push({ path: line, headers: (current = []) });
      else {
        problems.add(number, `There are more than ${MAX_HEADER_RULES} paths; the rest is left out.`);
        break;
      }
    } else {
      const header = hasPath ? parseHeader(line) : 'The line is below no path.';
      if (typeof header === 'string') problems.add(number, header);
      else if (!current || room.admits(header)) current?.push(header);
      else {
        problems.add(number, BUDGET_EXCEEDED);
        current = undefined;
      }
    }
  }
  return { rules: rules.filter(({ headers }) => headers.length > 0), problems: problems.found };
}

/** A header, or what is wrong with it. */
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

/** The rules of one deploy, indexed so that a request costs the same however many there are. */
export class CompiledHeaders {
  readonly #index = new PathIndex<OrderedHeaders[]>();
  readonly #isEmpty: boolean;
  /** Rules that are not applied, or not all of their headers, because they exceed the limits. */
  readonly skippedRules: number;

  constructor(rules: readonly HeaderRule[]) {
    let leftOut = Math.max(0, rules.length - MAX_HEADER_RULES);
    this.#isEmpty = rules.length === 0;
    rules.slice(0, MAX_HEADER_RULES).forEach(({ path, headers }, order) => {
      const pattern = parsePattern(path);
      const place = 'fault' in pattern ? pattern : this.#index.entryFor(pattern, () => []);
      // Stored rules may have been parsed when more was allowed.
      const allowed = headers.filter(([name, value]) => headerFault(name, value) === undefined);
      if ('entry' in place) place.entry.push({ order, headers: allowed });
      if (!('entry' in place) || allowed.length < headers.length) leftOut += 1;
    });
    this.skippedRules = leftOut;
  }

  /**
   * The headers of all matching rules, in the order of the file, while the answer has room. Values of one name are
   * joined in one line; of the media type the last value counts.
   * @param path as it was sent.
   */
  find(path: string): readonly Header[] {
    const segments = this.#isEmpty ? undefined : segmentsOf(path);
    if (!segments) return [];
    const found = new Map<string, string>();
    const room = new HeaderBudget();
    const matching = this.#index.matching(segments).flat();
    for (const { headers } of matching.toSorted((a, b) => a.order - b.order)) {
      for (const header of headers) {
        if (!room.admits(header)) return [...found];
        const [name, value] = header;
        const before = found.get(name);
        found.set(name, before === undefined || name === 'content-type' ? value : `${before}, ${value}`);
      }
    }
    return [...found];
  }
}
