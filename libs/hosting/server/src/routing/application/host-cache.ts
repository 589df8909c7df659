import { DatabaseUnavailable } from '@homeport/kernel';
import { LRUCache } from 'lru-cache';
import type { CacheUse } from './cache-use';

/** Limit for known hosts, and separately for unknown ones, so that requests for random hosts evict no known one. */
const MAX_CACHED = 50_000;
/** The revalidation interval while the change feed is down. */
const RECHECK_MS = 300;
const NEVER = -1;

/** The cached result for a host. It remains the same object until the result changes. */
export abstract class HostCacheEntry {
  /** The generation of the cache in which the entry was loaded; the entry is fresh while it is the current one. */
  asOf = NEVER;
  checkedAt = 0;

  constructor(readonly hostname: string) {}

  /** Whether the host exists. */
  abstract get isKnown(): boolean;
}

/** Notifies about changes that concern hosts. */
export interface HostChangeFeed {
  /**
   * Listens until the signal is aborted, and reconnects after every failure.
   * @param onChange called with a changed name, or with undefined when changes may have been missed.
   */
  listen(onChange: (name: string | undefined) => void, signal: AbortSignal): void;

  /** Whether all changes are received at this moment. */
  readonly isConnected: boolean;
}

export interface HostCacheOptions<Entry extends HostCacheEntry> {
  /** @throws {DatabaseUnavailable} */
  readonly load: (hostname: string) => Promise<Entry>;
  readonly changes: HostChangeFeed;
  /** Whether an entry may be outdated after the change of a name. */
  readonly isAffected: (entry: Entry, changed: string) => boolean;
  readonly isSame: (one: Entry, other: Entry) => boolean;
  /** The size of an entry, at least 1. */
  readonly sizeOf: (entry: Entry) => number;
  /** The total size of all known, and of all unknown hosts. */
  readonly maxSize: number;
  readonly now?: () => number;
}

interface Load<Entry> {
  readonly asOf: number;
  readonly result: Promise<Entry>;
}

/**
 * Caches a result for each host. An entry is valid until a change notification arrives. While PostgreSQL is unavailable,
 * stale entries are used.
 */
export class HostCache<Entry extends HostCacheEntry> {
  readonly #options: HostCacheOptions<Entry>;
  readonly #now: () => number;
  readonly #known: LRUCache<string, Entry>;
  readonly #unknown: LRUCache<string, Entry>;
  readonly #loads = new Map<string, Load<Entry>>();
  /** Increases whenever changes may have been missed, which makes all entries stale. */
  #generation = 0;
  /** Until this time PostgreSQL is treated as unavailable. */
  #unavailableUntil = 0;
  #hits = 0;
  #misses = 0;

  constructor(options: HostCacheOptions<Entry>) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
    this.#known = createEntryCache(options);
    this.#unknown = createEntryCache(options);
  }

  get use(): CacheUse {
    return { hits: this.#hits, misses: this.#misses, entries: this.#known.size + this.#unknown.size };
  }

  /** Listens to changes until the signal is aborted. */
  open(signal: AbortSignal): void {
    this.#options.changes.listen((name) => this.#onChange(name), signal);
  }

  /** Whether an entry may be used without waiting. May start a revalidation in the background. */
  isFresh(entry: Entry): boolean {
    if (entry.asOf === this.#generation && this.#options.changes.isConnected) return true;
    if (!this.#mustUseStale() || this.#cached(entry.hostname) !== entry) return false;
    this.#revalidate(entry);
    return true;
  }

  /** Finds the entry for a hostname. @throws {DatabaseUnavailable} when the host is not cached. */
  find(hostname: string): Entry | Promise<Entry> {
    const entry = this.#cached(hostname);
    if (entry && this.isFresh(entry)) {
      this.#hits += 1;
      return entry;
    }
    this.#misses += 1;
    return this.#load(hostname).catch((error: unknown) => {
      if (entry && error instanceof DatabaseUnavailable) return entry;
      throw error;
    });
  }

  /** Whether waiting for a fresh entry is useless, because the change feed or PostgreSQL is down. */
  #mustUseStale(): boolean {
    return !this.#options.changes.isConnected || this.#now() < this.#unavailableUntil;
  }

  #cached(hostname: string): Entry | undefined {
    return this.#known.get(hostname) ?? this.#unknown.get(hostname);
  }

  #revalidate(entry: Entry): void {
    const now = this.#now();
    if (now < entry.checkedAt + RECHECK_MS) return;
    entry.checkedAt = now;
    // The load records the failure, and the stale entry is used.
    this.#load(entry.hostname).catch(() => undefined);
  }

  #onChange(name: string | undefined): void {
    if (name === undefined) {
      this.#generation += 1;
      this.#loads.clear();
      this.#unavailableUntil = 0;
      return;
    }
    // Later requests must not receive the result of an earlier load. Which of them the change concerns is not yet known.
    this.#loads.clear();
    for (const cache of [this.#known, this.#unknown]) {
      for (const entry of cache.values()) if (this.#options.isAffected(entry, name)) entry.asOf = NEVER;
    }
  }

  /** Loads a host once for concurrent requests. */
  #load(hostname: string): Promise<Entry> {
    const running = this.#loads.get(hostname);
    if (running) return running.result;
    const result = this.#options.load(hostname).then((loaded) => this.#store(loaded, load));
    const load: Load<Entry> = { asOf: this.#generation, result };
    this.#loads.set(hostname, load);
    const cleanUp = () => {
      if (this.#loads.get(hostname) === load) this.#loads.delete(hostname);
    };
    load.result.then(cleanUp, (error: unknown) => {
      if (error instanceof DatabaseUnavailable) this.#unavailableUntil = this.#now() + RECHECK_MS;
      cleanUp();
    });
    return load.result;
  }

  #store(loaded: Entry, load: Load<Entry>): Entry {
    const { hostname } = loaded;
    const before = this.#known.peek(hostname) ?? this.#unknown.peek(hostname);
    const entry = before && this.#options.isSame(before, loaded) ? before : loaded;
    // The host changed during the load: the result goes to the waiting requests, but not into the cache.
    if (this.#loads.get(hostname) !== load) return entry;
    entry.asOf = load.asOf;
    entry.checkedAt = this.#now();
    const [target, other] = entry.isKnown ? [this.#known, this.#unknown] : [this.#unknown, this.#known];
    target.set(hostname, entry);
    other.delete(hostname);
    return entry;
  }
}

/** Invalidates evicted entries, because the cache does not receive their changes any more. */
function createEntryCache<Entry extends HostCacheEntry>({
  maxSize,
  sizeOf,
}: HostCacheOptions<Entry>): LRUCache<string, Entry> {
  return new LRUCache<string, Entry>({
    max: MAX_CACHED,
    maxSize,
    sizeCalculation: sizeOf,
    dispose: (entry) => (entry.asOf = NEVER),
  });
}
