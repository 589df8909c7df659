import { CompiledRedirects } from './compiled-redirects';
import { CompiledHeaders, type Header, type HeaderRule } from './header-rules';
import type { Redirect, RedirectRule } from './redirect-rules';

/** The redirects and headers of a site; stored with the deploy as JSON. */
export interface SiteRules {
  readonly redirects: readonly RedirectRule[];
  readonly headers: readonly HeaderRule[];
}

export const NO_RULES: SiteRules = { redirects: [], headers: [] };

/** The files that configure how a site is served. Their content is stored with the deploy, and not as blobs. */
export const RULE_FILES: readonly string[] = ['_redirects', '_headers'];

/** Whether a file configures how a site is served. Such files are not served themselves. */
export function isRuleFile(path: string): boolean {
  return RULE_FILES.includes(path);
}

/** Paths are percent-encoded, as sent; so are the results. */
export interface CompiledRules {
  /** Rules that are not applied, or not completely, because they exceed the limits. */
  readonly skippedRules: number;
  /** @param query as sent, without "?". */
  redirectFor(path: string, query: string): Redirect | undefined;
  /** @returns headers with distinct names in lower case. */
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
