import type { PricingStatement } from '@homeport/pricing/contracts';

/** A statement as this device has it. */
export interface CachedStatement {
  readonly statement: PricingStatement;
  /** When the API answered with it. */
  readonly readAt: Date;
}

const STORAGE_KEY = 'homeport.pricing-statement';

/**
 * The last statement this device has read, for when the API cannot be reached. It is public and the same for everybody.
 * A cache of the service worker would answer without saying that its answer is old; this one is asked by name.
 */
export class PricingCache {
  readonly #storage: () => Pick<Storage, 'getItem' | 'setItem'>;

  /** @param storage may throw, as browsers do that have none to give. */
  constructor(storage: () => Pick<Storage, 'getItem' | 'setItem'>) {
    this.#storage = storage;
  }

  save({ statement, readAt }: CachedStatement): void {
    try {
      this.#storage().setItem(STORAGE_KEY, JSON.stringify({ statement, readAt }));
    } catch {
      // Storage may be closed (private windows, full disks): the page then needs its connection.
    }
  }

  load(): CachedStatement | undefined {
    try {
      const kept: unknown = JSON.parse(this.#storage().getItem(STORAGE_KEY) ?? 'null');
      return isCachedStatement(kept) ? { statement: kept.statement, readAt: new Date(kept.readAt) } : undefined;
    } catch {
      return undefined;
    }
  }
}

/** Written by this class; but what a device keeps for years may be cut, or of a time that had other fields. */
function isCachedStatement(value: unknown): value is { readonly statement: PricingStatement; readonly readAt: string } {
  const { statement, readAt } = (value ?? {}) as { statement?: Partial<PricingStatement>; readAt?: unknown };
  return (
    typeof readAt === 'string' &&
    !Number.isNaN(Date.parse(readAt)) &&
    typeof statement?.version === 'string' &&
    Array.isArray(statement.usage?.meters) &&
    Array.isArray(statement.upcoming)
  );
}
