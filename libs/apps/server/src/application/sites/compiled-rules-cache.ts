import { LRUCache } from 'lru-cache';
import { type CompiledRules, compileRules } from '../../domain/sites/site-rules';
import type { Site } from './site-directory.port';

type Deploy = NonNullable<Site['deploy']>;

/** Deploys that are remembered as reported. */
const MAX_REPORTED_DEPLOYS = 10_000;

/** Compiles the rules of deploys, each once for as long as its site is in the cache. */
export class CompiledRulesCache {
  readonly #compiled = new WeakMap<Deploy['rules'], CompiledRules>();
  readonly #reported = new LRUCache<string, true>({ max: MAX_REPORTED_DEPLOYS });

  /** @param report called once for a deploy of which rules are left out: they were stored before a limit applied. */
  constructor(private readonly report: (deployId: string, leftOut: number) => void) {}

  get({ id, rules }: Deploy): CompiledRules {
    let compiled = this.#compiled.get(rules);
    if (compiled) return compiled;
    this.#compiled.set(rules, (compiled = compileRules(rules)));
    if (compiled.skippedRules > 0 && !this.#reported.get(id)) {
      this.#reported.set(id, true);
      this.report(id, compiled.skippedRules);
    }
    return compiled;
  }
}
