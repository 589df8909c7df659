import { PathIndex } from './path-index';
import { parsePattern, type PathPattern, shapeOf } from './path-pattern';
import { ConditionLimits, type QueryConditions } from './query-conditions';
import { type RuleLine, type RuleProblem, RuleProblems } from './rule-problems';

const REDIRECTS = [301, 302, 303, 307, 308] as const;
const STATUSES = [...REDIRECTS, 200, 404] as const;
type Status = (typeof STATUSES)[number];

/** A line of `_redirects`. */
export interface RedirectRule {
  readonly from: string;
  /** A path, or with a 3xx status also an http or https URL. `:name` and `:splat` insert values captured by `from`. */
  readonly to: string;
  readonly status: Status;
  /** Parameters that the query must have; a value `:name` matches any value and captures it. */
  readonly query?: QueryConditions;
}

/** The result of a rule; everything is percent-encoded. */
export type Redirect =
  | { readonly status: (typeof REDIRECTS)[number]; readonly location: string }
  /** Serves another path of the app with this status. */
  | { readonly status: 200 | 404; readonly path: string };

export const MAX_REDIRECT_RULES = 2_000;
const LINE_LENGTH = 1_000;

/** Parses a `_redirects` file. */
export function parseRedirects(text: string): {
  readonly rules: readonly RedirectRule[];
  readonly problems: readonly RuleProblem[];
} {
  const problems = new RuleProblems('_redirects', LINE_LENGTH);
  const rules: RedirectRule[] = [];
  const limits = new RuleLimits();
  for (const line of problems.linesOf(text)) {
    const rule = parseLine(line);
    const fault = 'fault' in rule ? rule.fault : limits.faultOf(rule);
    if ('fault' in rule || fault !== undefined) problems.add(line.number, fault ?? '');
    else if (rules.length < MAX_REDIRECT_RULES) rules.push(rule);
    else {
      problems.add(
        line.number,
        `There are more than ${MAX_REDIRECT_RULES.toLocaleString('en')} rules; the rest is left out.`,
      );
      break;
    }
  }
  return { rules, problems: problems.found };
}

interface Fault {
  readonly fault: string;
}

/** Limits that keep the cost of a request small for any set of rules. */
export class RuleLimits {
  readonly #paths = new PathIndex<true>();
  readonly #conditions = new ConditionLimits();

  /** @returns why the limits reject a rule; undefined when it is within them. */
  faultOf({ from, query }: RedirectRule): string | undefined {
    const pattern = parsePattern(from);
    const slot = 'fault' in pattern ? pattern : this.#paths.entryFor(pattern, () => true);
    if ('fault' in slot) return slot.fault;
    return query && !('fault' in pattern) ? this.#conditions.faultOf(query, shapeOf(pattern)) : undefined;
  }
}

function parseLine({ text }: RuleLine): RedirectRule | Fault {
  const words = text.split(/\s+/);
  const comment = words.findIndex((word) => word.startsWith('#'));
  const [from = '', ...rest] = comment < 0 ? words : words.slice(0, comment);
  const target = rest.findIndex((word) => word.startsWith('/') || /^[a-z][a-z0-9+.-]*:\/\//i.test(word));
  const to = rest[target];
  if (to === undefined) return { fault: 'The line has no target: write "from to", and a status if it is not 301.' };
  const query = rest.slice(0, target).map(parameterOf);
  const status = statusOf(rest.slice(target + 1));
  if (typeof status !== 'number') return status;
  if (query.some(([name]) => name === '')) return { fault: 'Conditions must have the form "name=value".' };
  const rule = { from, to, status, ...(query.length > 0 && { query }) };
  const fault = faultOf(rule);
  return fault === undefined ? rule : { fault };
}

function parameterOf(word: string): [string, string] {
  const at = word.indexOf('=');
  return at < 0 ? ['', ''] : [word.slice(0, at), word.slice(at + 1)];
}

function statusOf([word, ...more]: readonly string[]): Status | Fault {
  if (word === undefined) return 301;
  if (word.includes('=')) return { fault: 'Conditions on country, language, role or cookie are not supported.' };
  if (word.endsWith('!')) return { fault: 'Forced rules ("!") are not supported: a file that exists is served.' };
  const status = STATUSES.find((known) => String(known) === word);
  if (status === undefined) return { fault: `The status must be one of ${STATUSES.join(', ')}.` };
  if (more.length === 0) return status;
  return { fault: 'Conditions after the status are not supported.' };
}

function faultOf(rule: RedirectRule): string | undefined {
  const pattern = parsePattern(rule.from);
  if ('fault' in pattern) return pattern.fault;
  if (!isRedirect(rule.status) && !rule.to.startsWith('/'))
    return 'Only paths of the app can be served with this status.';
  return targetFault(rule.to) ?? unknownName(rule, pattern) ?? loopFault(rule);
}

function targetFault(to: string): string | undefined {
  if (/[\\\p{Cc}]/u.test(to) || !to.isWellFormed()) return 'The target has a backslash or a control character.';
  if (to.startsWith('//')) return 'The target starts with "//". Write the full URL with https.';
  if (to.startsWith('/')) return undefined;
  const host = /^https?:\/\/([^/?#]+)/i.exec(to)?.[1];
  if (host === undefined) return 'The target is neither a path nor an http or https URL.';
  if (host.includes('@')) return 'The target has a user name.';
  if (/:[a-z_]/i.test(host)) return 'The host of the target cannot contain placeholders.';
  return URL.canParse(`https://${host}`) ? undefined : 'The host of the target is not valid.';
}

/** Placeholders start a segment or a value; a colon elsewhere is literal text. */
function unknownName({ to, query = [] }: RedirectRule, pattern: PathPattern): string | undefined {
  const known = new Set(pattern.segments.flatMap((segment) => ('name' in segment ? [segment.name] : [])));
  if (pattern.open) known.add('splat');
  for (const [, value] of query) if (value.startsWith(':')) known.add(value.slice(1));
  const used = [...to.matchAll(/[/=]:([a-z_]\w*)/gi)].map(([, name]) => name ?? '');
  const unknown = used.find((name) => !known.has(name));
  return unknown === undefined ? undefined : `The target uses ":${unknown}", which the rule does not define.`;
}

function loopFault({ from, to, query }: RedirectRule): string | undefined {
  if (query) return undefined;
  const bare = (path: string) => path.replace(/[?#].*/, '').replace(/(.)\/$/, '$1');
  const same = bare(from).replace(/\/\*$/, '/:splat') === bare(to);
  return same ? 'The rule points to itself.' : undefined;
}

/** Whether a status redirects visitors to another URL. */
export function isRedirect(status: Status): status is (typeof REDIRECTS)[number] {
  return (REDIRECTS as readonly number[]).includes(status);
}
