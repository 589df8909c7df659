import { DatabaseUnavailable } from '@homeport/platform/server';
import { LRUCache } from 'lru-cache';
import { NO_RULES } from '../../domain/sites/site-rules';
import type { ReleasedName, Site, SiteChangeFeed, SiteDirectory } from './site-directory.port';

/** Hosts that are known, and as many that nobody has: whoever asks for random ones drives no site out. */
const MAX_CACHED = 50_000;
/** Of the rules of all sites that are known: those of one may have millions. */
const MAX_RULE_CHARACTERS = 32 * 1024 * 1024;
/** How often what is known is looked at again while changes are not heard of. */
const RECHECK_MS = 300;
const NEVER = -1;

/** What is known of a host. What answers there is one object for as long as it is the same. */
export class SiteCacheEntry {
  /** As of which state of all that was heard it is certain. */
  asOf = NEVER;
  checkedAt = 0;

  constructor(
    readonly label: string,
    /** Undefined when nobody has it. */
    readonly site: Site | undefined,
    /** Whether nobody has it any more. */
    readonly isReleased = false,
  ) {}
}

interface Load {
  readonly asOf: number;
  readonly answer: Promise<SiteCacheEntry>;
}

/**
 * Which site answers at which host. What is known is kept until a change of it is heard of, and is served on when
 * PostgreSQL, which would know better, is away.
 */
export class SiteCache {
  readonly #sites = createHostCache();
  readonly #vacant = createHostCache();
  readonly #loads = new Map<string, Load>();
  /** Rises whenever changes may have been missed. */
  #state = 0;
  /** Until then PostgreSQL is taken to be away still. */
  #unavailableUntil = 0;

  constructor(
    private readonly directory: SiteDirectory,
    private readonly changes: SiteChangeFeed,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Hears of changes until the signal is raised. */
  open(signal: AbortSignal): void {
    this.changes.listen((label) => this.#heard(label), signal);
  }

  /** Whether an answer that was made for a host still holds. Asks nobody, at most it has somebody asked beside. */
  isFresh(known: SiteCacheEntry): boolean {
    if (known.asOf === this.#state && this.changes.isConnected) return true;
    if (!this.#mustServeStale() || this.#kept(known.label) !== known) return false;
    this.#revalidate(known);
    return true;
  }

  /** @throws {DatabaseUnavailable} when the host is not known and PostgreSQL is away. */
  find(label: string): SiteCacheEntry | Promise<SiteCacheEntry> {
    const known = this.#kept(label);
    if (known && this.isFresh(known)) return known;
    return this.#loaded(label).catch((error: unknown) => {
      if (known && error instanceof DatabaseUnavailable) return known;
      throw error;
    });
  }

  /** What is known has to do: whoever waited for something better would wait in vain. */
  #mustServeStale(): boolean {
    return !this.changes.isConnected || this.now() < this.#unavailableUntil;
  }

  #kept(label: string): SiteCacheEntry | undefined {
    return this.#sites.get(label) ?? this.#vacant.get(label);
  }

  #revalidate(known: SiteCacheEntry): void {
    const now = this.now();
    if (now < known.checkedAt + RECHECK_MS) return;
    known.checkedAt = now;
    // That it failed is noted there, and what is known is served on.
    this.#loaded(known.label).catch(() => undefined);
  }

  #heard(label: string | undefined): void {
    if (label === undefined) {
      this.#state += 1;
      this.#loads.clear();
      this.#unavailableUntil = 0;
      return;
    }
    // Whoever asks from now on must not get what was asked for before.
    this.#loads.delete(label);
    const known = this.#sites.peek(label) ?? this.#vacant.peek(label);
    if (known) known.asOf = NEVER;
  }

  /** Everybody who asks for the same host at once waits for one answer. */
  #loaded(label: string): Promise<SiteCacheEntry> {
    const underWay = this.#loads.get(label);
    if (underWay) return underWay.answer;
    const answer = this.directory.findSite(label).then((site) => this.#learnt(label, site, load));
    const load: Load = { asOf: this.#state, answer };
    this.#loads.set(label, load);
    const end = () => {
      if (this.#loads.get(label) === load) this.#loads.delete(label);
    };
    load.answer.then(end, (error: unknown) => {
      if (error instanceof DatabaseUnavailable) this.#unavailableUntil = this.now() + RECHECK_MS;
      end();
    });
    return load.answer;
  }

  #learnt(label: string, found: Site | ReleasedName | undefined, load: Load): SiteCacheEntry {
    const before = this.#sites.peek(label) ?? this.#vacant.peek(label);
    const isReleased = found?.kind === 'released';
    const site = found?.kind === 'released' ? undefined : found;
    const isAsBefore = before?.isReleased === isReleased && isSame(before.site, site);
    const known = before && isAsBefore ? before : new SiteCacheEntry(label, site, isReleased);
    // Something changed meanwhile: this answers those who asked before, and is not kept.
    if (this.#loads.get(label) !== load) return known;
    known.asOf = load.asOf;
    known.checkedAt = this.now();
    const [home, other] = site ? [this.#sites, this.#vacant] : [this.#vacant, this.#sites];
    home.set(label, known);
    other.delete(label);
    return known;
  }
}

/** Nobody hears of changes of a host that is not kept any more, so nothing is certain of it. */
function createHostCache(): LRUCache<string, SiteCacheEntry> {
  return new LRUCache({
    max: MAX_CACHED,
    maxSize: MAX_RULE_CHARACTERS,
    sizeCalculation: ({ site }) => rulesLength(site),
    dispose: (known) => (known.asOf = NEVER),
  });
}

/** At least 1; most sites have no rules. */
function rulesLength(site: Site | undefined): number {
  const { redirects, headers } = site?.deploy?.rules ?? NO_RULES;
  return redirects.length + headers.length === 0 ? 1 : JSON.stringify([redirects, headers]).length;
}

function isSame(one: Site | undefined, other: Site | undefined): boolean {
  return (
    one?.appId === other?.appId &&
    one?.kind === other?.kind &&
    one?.deploy?.id === other?.deploy?.id &&
    one?.lastRelease === other?.lastRelease
  );
}
