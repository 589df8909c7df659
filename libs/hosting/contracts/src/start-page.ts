import { candidateFiles, indexPageOf, parseRequestPath } from './request-path';
import { compileRules, type SiteRules } from './site-rules';

/** What a site needs so that its address `/` shows something. */
export interface StartPage {
  /** Whether a rule redirects visitors of `/`. Then no file is needed. */
  readonly isRedirected: boolean;
  /** The files that `/` can be served from, best first. */
  readonly files: readonly string[];
}

/**
 * Finds out what a site needs to serve `/` without a query: its index page, a rewrite to a page, or a redirect.
 * @returns the files that can serve `/`; without one of them and without a redirect, `/` answers 404.
 */
export function startPageOf(rules: SiteRules): StartPage {
  const redirect = compileRules(rules).redirectFor('/', '');
  const index = indexPageOf('');
  if (!redirect || 'location' in redirect) return { isRedirected: redirect !== undefined, files: [index] };
  const target = redirect.status === 200 ? parseRequestPath(redirect.path) : undefined;
  return { isRedirected: false, files: [...new Set([index, ...(target ? candidateFiles(target) : [])])] };
}
