import { type CompiledRules, compileRules, type SiteRules } from '../../domain/sites/site-rules';

/** The rules of a site are one object for as long as it is known. */
const COMPILED = new WeakMap<SiteRules, CompiledRules>();

/** The rules of a site, compiled once. */
export function rulesOf(rules: SiteRules): CompiledRules {
  let compiled = COMPILED.get(rules);
  if (!compiled) COMPILED.set(rules, (compiled = compileRules(rules)));
  return compiled;
}
