import type { Instance } from './instance';

/** The instances of a revision. */
interface Instances {
  readonly instances: ReadonlySet<Instance>;
  stop(instance: Instance): void;
}

export interface InstanceAdmission {
  /** The other revisions of the app. */
  readonly others: readonly Instances[];
  /** Instances of the app. */
  readonly limit: number;
  /** Whether the first instance of the revision may exceed the limit when all others have requests. */
  readonly mayExceed: boolean;
}

/**
 * Admits one more instance of a revision. At the limit of the app, evicts the instances of its other revisions that are
 * idle longest.
 * @returns false when the revision must wait.
 */
export function admitInstance(pool: Instances, { others, limit, mayExceed }: InstanceAdmission): boolean {
  const own = activeIn(pool).length;
  const taken = others.flatMap((other) => activeIn(other).map((instance) => ({ pool: other, instance })));
  const missing = own + taken.length - limit + 1;
  const ending = taken
    .filter(({ instance }) => instance.mayEnd)
    .sort((one, other) => one.instance.idleSince - other.instance.idleSince)
    .slice(0, Math.max(0, missing));
  const isWithinLimit = own < limit && ending.length >= missing;
  if (!isWithinLimit && !(own === 0 && mayExceed)) return false;
  for (const each of ending) each.pool.stop(each.instance);
  return true;
}

/** The instances that serve requests, or will. */
export function activeIn({ instances }: Pick<Instances, 'instances'>): Instance[] {
  return [...instances].filter(({ isGone, state }) => !isGone && state !== 'draining');
}
