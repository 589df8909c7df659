import { CompiledRedirects } from './compiled-redirects';
import { CompiledHeaders, type Header, type HeaderRule } from './header-rules';
import type { Redirect, RedirectRule } from './redirect-rules';

/** What the maker of a site says about its answers; it is kept with the deploy as JSON. */
export interface SiteRules {
  readonly redirects: readonly RedirectRule[];
  readonly headers: readonly HeaderRule[];
}

export const NO_RULES: SiteRules = { redirects: [], headers: [] };

const RULE_FILES: readonly string[] = ['_redirects', '_headers'];

/** Whether a file of a site says how the others are served; it is not served itself. */
export function isRuleFile(path: string): boolean {
  return RULE_FILES.includes(path);
}

/** Paths are as they were sent, percent-encoded; so is what comes back. */
export interface CompiledRules {
  /** Rules that are not applied, at least not as a whole, because they exceed the limits. */
  readonly skippedRules: number;
  /** @param query as it was sent, without "?". */
  redirectFor(path: string, query: string): Redirect | undefined;
  /** Names in lower case, each once. */
  headersFor(path: string): readonly Header[];
}

export function compileRules(rules: SiteRules): CompiledRules {
  const redirects = new CompiledRedirects(rules.redirects);
  const headers = new CompiledHeaders(rules.headers);
  return {
    skippedRules: redirects.skippedRules + headers.skippedRules,
    redirectFor: (path, query) => redirects.find(path, query),
    headersFor: (path) => headers.find(path),
  };
}
