import { isHashedName, mayBeHashed } from '../domain/hashed-name';
import { type CompiledRules, compileRules, type SiteRules } from '../domain/site-rules';

/** What names of files, and the rules of sites, mean. */
export interface SiteRulings {
  rulesOf(rules: SiteRules): CompiledRules;
  /** Whether a build tool named the file after its content, so that it never changes. */
  isHashedName(path: string): boolean;
  /** The same with less certainty: worth a look at the deploys before. */
  mayBeHashed(path: string): boolean;
}

/** The rules of a site are one object for as long as it is known. */
const COMPILED = new WeakMap<SiteRules, CompiledRules>();

export const SITE_RULINGS: SiteRulings = {
  rulesOf: (rules) => {
    let compiled = COMPILED.get(rules);
    if (!compiled) COMPILED.set(rules, (compiled = compileRules(rules)));
    return compiled;
  },
  isHashedName,
  mayBeHashed,
};
