import { NO_RULES } from '@homeport/hosting/contracts';
import { HostCache, HostCacheEntry } from './host-cache';
import type { ReleasedName, Site, SiteChangeFeed, SiteDirectory } from './site-directory.port';

/** Limit for the rules of all cached sites in characters: the rules of one site may have millions. */
const MAX_RULE_CHARACTERS = 32 * 1024 * 1024;

/** The cached site of a host. */
export class SiteCacheEntry extends HostCacheEntry {
  constructor(
    hostname: string,
    /** Undefined for a host without a site. */
    readonly site: Site | undefined,
    /** Whether the name is released: its app was deleted. */
    readonly isReleased = false,
  ) {
    super(hostname);
  }

  override get isKnown(): boolean {
    return this.site !== undefined;
  }
}

/** Caches which site belongs to which host. */
export class SiteCache extends HostCache<SiteCacheEntry> {
  constructor(directory: SiteDirectory, changes: SiteChangeFeed, now?: () => number) {
    super({
      load: async (hostname) => toEntry(hostname, await directory.findSite(hostname)),
      changes,
      isAffected,
      isSame: (one, other) => one.isReleased === other.isReleased && isSameSite(one.site, other.site),
      sizeOf: ({ site }) => rulesLength(site),
      maxSize: MAX_RULE_CHARACTERS,
      ...(now && { now }),
    });
  }
}

function toEntry(hostname: string, found: Site | ReleasedName | undefined): SiteCacheEntry {
  return found?.kind === 'released'
    ? new SiteCacheEntry(hostname, undefined, true)
    : new SiteCacheEntry(hostname, found);
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

function isSameSite(one: Site | undefined, other: Site | undefined): boolean {
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
