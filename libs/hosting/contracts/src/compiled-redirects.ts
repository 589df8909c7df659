import { PathIndex } from './path-index';
import { parsePattern, type PathPattern, segmentsOf, captureParams } from './path-pattern';
import { ConditionIndex, pickParameters } from './query-conditions';
import { isRedirect, MAX_REDIRECT_RULES, type Redirect, type RedirectRule, RuleLimits } from './redirect-rules';

/** Characters of a target with its values filled in: as many as proxies accept in a header. */
const MAX_TARGET_LENGTH = 8 * 1024;
const NO_PARAMETERS: ReadonlyMap<string, string> = new Map();
const PLACEHOLDER = /:([a-z_]\w*)/gi;
/** Resolves paths; it never appears in a response. */
const BASE_URL = 'http://site.invalid';

/** A part of a target: literal text, or a placeholder with the name of its value. */
interface TargetPart {
  readonly text: string;
  readonly name?: string;
}

interface OrderedRule {
  readonly rule: RedirectRule;
  readonly order: number;
}

/** The rules of one deploy, indexed so that the cost of a request does not depend on their number. */
export class CompiledRedirects {
  readonly #plain = new PathIndex<OrderedRule>();
  readonly #conditional = new PathIndex<ConditionIndex<OrderedRule>>();
  /** Names of all parameters that appear in conditions. */
  readonly #names = new Set<string>();
  readonly #isEmpty: boolean;
  /** Rules that are not applied because they exceed the limits. */
  readonly skippedRules: number;

  constructor(rules: readonly RedirectRule[]) {
    let skipped = Math.max(0, rules.length - MAX_REDIRECT_RULES);
    this.#isEmpty = rules.length === 0;
    // Stored rules may have been parsed under higher limits.
    const limits = new RuleLimits();
    rules.slice(0, MAX_REDIRECT_RULES).forEach((rule, order) => {
      const pattern = parsePattern(rule.from);
      if ('fault' in pattern || limits.faultOf(rule) !== undefined) {
        skipped += 1;
        return;
      }
      if (!rule.query) {
        this.#plain.entryFor(pattern, () => ({ rule, order }));
        return;
      }
      for (const [name] of rule.query) this.#names.add(name);
      const slot = this.#conditional.entryFor(pattern, () => new ConditionIndex());
      if ('entry' in slot) slot.entry.add(rule.query, { rule, order });
    });
    this.skippedRules = skipped;
  }

  /**
   * Finds the redirect of the first matching rule.
   * @param path as sent.
   * @param query as sent, without "?".
   */
  find(path: string, query: string): Redirect | undefined {
    const segments = this.#isEmpty ? undefined : segmentsOf(path);
    if (!segments) return undefined;
    const conditional = this.#names.size > 0 ? this.#conditional.matching(segments) : [];
    const sent = conditional.length > 0 ? pickParameters(this.#names, query) : NO_PARAMETERS;
    const matching = [...this.#plain.matching(segments), ...conditional.flatMap((index) => index.matching(sent))];
    const [first, ...others] = matching;
    if (!first) return undefined;
    const { rule } = others.reduce((best, next) => (next.order < best.order ? next : best), first);
    const pattern = parsePattern(rule.from) as PathPattern;
    const values = captureParams(pattern, segments);
    for (const [name, value] of rule.query ?? []) {
      if (value.startsWith(':')) values.set(value.slice(1), encodeURIComponent(sent.get(name) ?? ''));
    }
    return resolveTarget(rule, values, { path, query });
  }
}

function partsOf(to: string): readonly TargetPart[] {
  const parts: TargetPart[] = [];
  let end = 0;
  for (const { 0: text, 1: name = '', index } of to.matchAll(PLACEHOLDER)) {
    parts.push({ text: to.slice(end, index) }, { text, name });
    end = index + text.length;
  }
  return [...parts, { text: to.slice(end) }];
}

/** @returns undefined when the target would be too long for a header. */
function interpolate(parts: readonly TargetPart[], values: ReadonlyMap<string, string>): string | undefined {
  let filled = '';
  for (const { text, name } of parts) {
    filled += name === undefined ? text : (values.get(name) ?? text);
    if (filled.length > MAX_TARGET_LENGTH) return undefined;
  }
  return filled;
}

function resolveTarget(
  { to, status, query: conditions }: RedirectRule,
  values: ReadonlyMap<string, string>,
  { path, query }: { path: string; query: string },
): Redirect | undefined {
  const filled = interpolate(partsOf(to), values);
  if (filled === undefined) return undefined;
  const isLocal = to.startsWith('/');
  const url = new URL(isLocal ? collapseLeadingSlashes(filled) : filled, BASE_URL);
  if (!isRedirect(status)) return { status, path: collapseLeadingSlashes(url.pathname) };
  if (url.search === '' && !conditions) url.search = query;
  if (isLocal && url.pathname === path && url.search === (query && `?${query}`)) return undefined;
  return { status, location: isLocal ? collapseLeadingSlashes(url.href.slice(BASE_URL.length)) : url.href };
}

/** A value may start with "/", and a target with "//" would be another host. */
function collapseLeadingSlashes(path: string): string {
  return path.replace(/^\/+/, '/');
}
