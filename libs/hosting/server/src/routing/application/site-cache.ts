import { DatabaseUnavailable } from '@homeport/kernel';
import { LRUCache } from 'lru-cache';
import { NO_RULES } from '@homeport/hosting/contracts';
import type { ReleasedName, Site, SiteChangeFeed, SiteDirectory } from './site-directory.port';

/** Limit for sites, and separately for unknown hosts, so that requests for random hosts evict no site. */
const MAX_CACHED = 50_000;
/** Limit for the rules of all cached sites in characters: the rules of one site may have millions. */
const MAX_RULE_CHARACTERS = 32 * 1024 * 1024;
/** The revalidation interval while the change feed is down. */
const RECHECK_MS = 300;
const NEVER = -1;

/** The cached result for a host. It remains the same object until the site changes. */
export class SiteCacheEntry {
  /** The generation of the cache in which the entry was loaded; the entry is fresh while it is the current one. */
  asOf = NEVER;
  checkedAt = 0;

  constructor(
    readonly hostname: string,
    /** Undefined for a host without a site. */
    readonly site: Site | undefined,
    /** Whether the name is released: its app was deleted. */
    readonly isReleased = false,
  ) {}
}

interface Load {
  readonly asOf: number;
  readonly result: Promise<SiteCacheEntry>;
}

/**
 * Caches which site belongs to which host. An entry is valid until a change notification arrives. While PostgreSQL is
 * unavailable, stale entries are served.
 */
export class SiteCache {
  readonly #sites = createHostCache();
  readonly #unknownHosts = createHostCache();
  readonly #loads = new Map<string, Load>();
  /** Increases whenever changes may have been missed, which makes all entries stale. */
  #generation = 0;
  /** Until this time PostgreSQL is treated as unavailable. */
  #unavailableUntil = 0;

  constructor(
    private readonly directory: SiteDirectory,
    private readonly changes: SiteChangeFeed,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Listens to changes until the signal is aborted. */
  open(signal: AbortSignal): void {
    this.changes.listen((hostname) => this.#onChange(hostname), signal);
  }

  /** Whether an entry may be served without waiting. May start a revalidation in the background. */
  isFresh(entry: SiteCacheEntry): boolean {
    if (entry.asOf === this.#generation && this.changes.isConnected) return true;
    if (!this.#mustServeStale() || this.#cached(entry.hostname) !== entry) return false;
    this.#revalidate(entry);
    return true;
  }

  /** Finds the entry for a hostname. @throws {DatabaseUnavailable} when the host is not cached. */
  find(hostname: string): SiteCacheEntry | Promise<SiteCacheEntry> {
    const entry = this.#cached(hostname);
    if (entry && this.isFresh(entry)) return entry;
    return this.#load(hostname).catch((error: unknown) => {
      if (entry && error instanceof DatabaseUnavailable) return entry;
      throw error;
    });
  }

  /** Whether waiting for a fresh entry is useless, because the change feed or PostgreSQL is down. */
  #mustServeStale(): boolean {
    return !this.changes.isConnected || this.now() < this.#unavailableUntil;
  }

  #cached(hostname: string): SiteCacheEntry | undefined {
    return this.#sites.get(hostname) ?? this.#unknownHosts.get(hostname);
  }

  #revalidate(entry: SiteCacheEntry): void {
    const now = this.now();
    if (now < entry.checkedAt + RECHECK_MS) return;
    entry.checkedAt = now;
    // The load records the failure, and the stale entry is served.
    this.#load(entry.hostname).catch(() => undefined);
  }

  #onChange(hostname: string | undefined): void {
    if (hostname === undefined) {
      this.#generation += 1;
      this.#loads.clear();
      this.#unavailableUntil = 0;
      return;
    }
    // Later requests must not receive the result of an earlier load. Which of them the change concerns is not yet known.
    this.#loads.clear();
    for (const cache of [this.#sites, this.#unknownHosts]) {
      for (const entry of cache.values()) if (isAffected(entry, hostname)) entry.asOf = NEVER;
    }
  }

  /** Loads a host once for concurrent requests. */
  #load(hostname: string): Promise<SiteCacheEntry> {
    const running = this.#loads.get(hostname);
    if (running) return running.result;
    const result = this.directory.findSite(hostname).then((site) => this.#store(hostname, site, load));
    const load: Load = { asOf: this.#generation, result };
    this.#loads.set(hostname, load);
    const cleanUp = () => {
      if (this.#loads.get(hostname) === load) this.#loads.delete(hostname);
    };
    load.result.then(cleanUp, (error: unknown) => {
      if (error instanceof DatabaseUnavailable) this.#unavailableUntil = this.now() + RECHECK_MS;
      cleanUp();
    });
    return load.result;
  }

  #store(hostname: string, found: Site | ReleasedName | undefined, load: Load): SiteCacheEntry {
    const before = this.#sites.peek(hostname) ?? this.#unknownHosts.peek(hostname);
    const isReleased = found?.kind === 'released';
    const site = found?.kind === 'released' ? undefined : found;
    const isUnchanged = before?.isReleased === isReleased && isSame(before.site, site);
    const entry = before && isUnchanged ? before : new SiteCacheEntry(hostname, site, isReleased);
    // The host changed during the load: the result goes to the waiting requests, but not into the cache.
    if (this.#loads.get(hostname) !== load) return entry;
    entry.asOf = load.asOf;
    entry.checkedAt = this.now();
    const [target, other] = site ? [this.#sites, this.#unknownHosts] : [this.#unknownHosts, this.#sites];
    target.set(hostname, entry);
    other.delete(hostname);
    return entry;
  }
}

/** Invalidates evicted entries, because the cache does not receive their changes any more. */
function createHostCache(): LRUCache<string, SiteCacheEntry> {
  return new LRUCache({
    max: MAX_CACHED,
    maxSize: MAX_RULE_CHARACTERS,
    sizeCalculation: ({ site }) => rulesLength(site),
    dispose: (entry) => (entry.asOf = NEVER),
  });
}

/** The size of an entry, at least 1; most sites have no rules. */
function rulesLength(site: Site | undefined): number {
  const { redirects, headers } = site?.deploy?.rules ?? NO_RULES;
  return redirects.length + headers.length === 0 ? 1 : JSON.stringify([redirects, headers]).length;
}

/**
 * Whether an entry may be outdated after a change of a site or of an own domain. Below base domains, a site has hosts that
 * begin with its label.
 */
function isAffected({ hostname, site }: SiteCacheEntry, changed: string): boolean {
  return (
    hostname === changed ||
    hostname.startsWith(`${changed.split('.', 1)[0]}.`) ||
    hostname.endsWith(`.${changed}`) ||
    site?.domain?.platformHostname === changed
  );
}

function isSame(one: Site | undefined, other: Site | undefined): boolean {
  return (
    one?.appId === other?.appId &&
    one?.kind === other?.kind &&
    one?.deploy?.id === other?.deploy?.id &&
    one?.server?.version === other?.server?.version &&
    one?.lastRelease === other?.lastRelease &&
    one?.domain?.platformHostname === other?.domain?.platformHostname &&
    one?.domain?.redirectTo === other?.domain?.redirectTo
  );
}
