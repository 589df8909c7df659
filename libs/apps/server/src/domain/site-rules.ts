import type { HeaderRule } from './header-rules';
import type { RedirectRule } from './redirect-rules';

/** What the files `_redirects` and `_headers` of a deploy say; goes through JSON unchanged. */
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
