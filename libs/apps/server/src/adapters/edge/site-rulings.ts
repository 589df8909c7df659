import { isHashedName, mayBeHashed } from '../../domain/hashed-name';
import { headersFor } from '../../domain/header-rules';
import { redirectFor } from '../../domain/redirect-rules';
import type { RuledTarget } from '../../application/site-resolver';
import type { SiteRules } from '../../domain/site-rules';
import type { SiteTarget } from '../../domain/site-target';
import type { HeaderField } from './prepared-file';

/** What names and rules of a site mean. */
export interface SiteRulings {
  redirectFor(rules: SiteRules, target: SiteTarget): RuledTarget | undefined;
  headersFor(rules: SiteRules, target: SiteTarget): readonly HeaderField[];
  /** Whether a build tool named the file after its content, so that it never changes. */
  isHashedName(path: string): boolean;
  /** The same with less certainty: worth a look at the deploys before. */
  mayBeHashed(path: string): boolean;
}

export const SITE_RULINGS: SiteRulings = {
  redirectFor: ({ redirects }, { path = '' }) => redirectFor(redirects, `/${path}`),
  headersFor: ({ headers }, { path = '' }) => headersFor(headers, `/${path}`),
  isHashedName,
  mayBeHashed,
};
