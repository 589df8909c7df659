import type { PricingStatement } from '@homeport/pricing/contracts';

/** A statement in the browser's storage. */
export interface CachedStatement {
  readonly statement: PricingStatement;
  /** When the API returned it. */
  readonly readAt: Date;
}

const STORAGE_KEY = 'homeport.pricing-statement';

/**
 * Stores the last statement for times when the API is unreachable. The statement is public and the same for all users.
 * A service worker cache would return stale prices without notice; this cache is read explicitly.
 */
export class PricingCache {
  readonly #storage: () => Pick<Storage, 'getItem' | 'setItem'>;

  /** @param storage may throw, because browsers can block storage. */
  constructor(storage: () => Pick<Storage, 'getItem' | 'setItem'>) {
    this.#storage = storage;
  }

  save({ statement, readAt }: CachedStatement): void {
    try {
      this.#storage().setItem(STORAGE_KEY, JSON.stringify({ statement, readAt }));
    } catch {
      // Storage may be blocked or full; the page then requires a connection.
    }
  }

  load(): CachedStatement | undefined {
    try {
      const cached: unknown = JSON.parse(this.#storage().getItem(STORAGE_KEY) ?? 'null');
      return isCachedStatement(cached) ? { statement: cached.statement, readAt: new Date(cached.readAt) } : undefined;
    } catch {
      return undefined;
    }
  }
}

/** Checks stored content, which may be truncated or from an older version. */
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
