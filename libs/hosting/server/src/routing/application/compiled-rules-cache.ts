import { LRUCache } from 'lru-cache';
import { type CompiledRules, compileRules } from '@homeport/hosting/contracts';
import type { Site } from './site-directory.port';

type Deploy = NonNullable<Site['deploy']>;

/** How many reported deploys are remembered. */
const MAX_REPORTED_DEPLOYS = 10_000;

/** Compiles the rules of a deploy once for as long as its site is cached. */
export class CompiledRulesCache {
  readonly #compiled = new WeakMap<Deploy['rules'], CompiledRules>();
  readonly #reported = new LRUCache<string, true>({ max: MAX_REPORTED_DEPLOYS });

  /** @param report called once for a deploy with skipped rules, which were stored under higher limits. */
  constructor(private readonly report: (deployId: string, skipped: number) => void) {}

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
