import { beforeEach, describe, expect, it } from '@jest/globals';
import { DatabaseUnavailable } from '@homeport/kernel';
import { InMemorySiteChangeFeed, InMemorySiteDirectory } from '../adapters/memory/in-memory-site-directory';
import { NO_RULES } from '@homeport/hosting/contracts';
import type { ReleasedName, Site } from './site-directory.port';
import { type SiteCacheEntry, SiteCache } from './site-cache';

const siteOf = (deploy: string): Site => ({
  kind: 'app',
  appId: 'shop',
  name: 'Shop',
  deploy: { id: deploy, rules: NO_RULES },
  lastRelease: '1',
});

/** Resolves when the test allows it. */
class SlowDirectory extends InMemorySiteDirectory {
  readonly waiting: (() => void)[] = [];

  override async findSite(hostname: string): Promise<Site | ReleasedName | undefined> {
    const site = await super.findSite(hostname);
    await new Promise<void>((resolve) => this.waiting.push(resolve));
    return site;
  }
}

let directory: InMemorySiteDirectory;
let changes: InMemorySiteChangeFeed;
let now: number;
const signal = new AbortController().signal;

function open(use = directory): SiteCache {
  const cache = new SiteCache(use, changes, () => now);
  cache.open(signal);
  return cache;
}

const deployIn = async (known: SiteCacheEntry | Promise<SiteCacheEntry>) => (await known).site?.deploy?.id;
const settled = () => new Promise(setImmediate);

beforeEach(() => {
  directory = new InMemorySiteDirectory();
  changes = new InMemorySiteChangeFeed();
  now = 0;
  directory.sites.set('shop', siteOf('one'));
});

describe('SiteCache', () => {
  it('loads a host once, and answers synchronously afterwards', async () => {
    const cache = open();
    const first = await cache.find('shop');
    expect(cache.find('shop')).toBe(first);
    expect(cache.isFresh(first)).toBe(true);
    expect(directory.calls).toEqual(['site shop']);
  });

  it('recognizes a released name and its next owner', async () => {
    const cache = open();
    await cache.find('shop');
    directory.sites.set('shop', { kind: 'released' });
    changes.tell('shop');
    expect(await cache.find('shop')).toMatchObject({ site: undefined, isReleased: true });
    directory.sites.delete('shop');
    changes.tell('shop');
    expect(await cache.find('shop')).toMatchObject({ site: undefined, isReleased: false });
    const clearsDataUntil = new Date(1);
    directory.sites.set('shop', { ...siteOf('two'), appId: 'next', clearsDataUntil });
    changes.tell('shop');
    expect(await cache.find('shop')).toMatchObject({ site: { appId: 'next', clearsDataUntil }, isReleased: false });
  });

  it.each([
    ['www.acme.test', { kind: 'hostname', platformHostname: 'shop.apps.test' }, 'shop.apps.test'],
    ['www.acme.test', { kind: 'hostname', platformHostname: 'shop.apps.test' }, 'www.acme.test'],
    ['shop.acme.test', { kind: 'base', platformHostname: 'shop.apps.test' }, 'shop.apps.test'],
    ['shop.acme.test', { kind: 'base', platformHostname: 'shop.apps.test' }, 'acme.test'],
    ['shop.acme.test', undefined, 'shop.apps.test'],
    ['shop.acme.test', undefined, 'acme.test'],
  ] as const)('loads %s (%j) again after a change of %s', async (hostname, domain, changed) => {
    const cache = open();
    if (domain) directory.sites.set(hostname, { ...siteOf('one'), domain });
    const before = await cache.find(hostname);
    expect(await deployIn(before)).toBe(domain && 'one');
    changes.tell('other.apps.test');
    changes.tell('other.test');
    expect(cache.isFresh(before)).toBe(true);
    directory.sites.set(hostname, { ...siteOf('two'), ...(domain && { domain }) });
    changes.tell(changed);
    expect(await deployIn(cache.find(hostname))).toBe('two');
  });

  it('loads an unknown host once', async () => {
    const cache = open();
    expect((await cache.find('unknown')).site).toBeUndefined();
    expect((await cache.find('unknown')).isReleased).toBe(false);
    await cache.find('unknown');
    expect(directory.calls).toEqual(['site unknown']);
  });

  it('loads a host once for concurrent requests', async () => {
    const cache = open();
    await Promise.all(Array.from({ length: 50 }, () => cache.find('shop')));
    expect(directory.calls).toHaveLength(1);
  });

  it('reloads only the changed host', async () => {
    directory.sites.set('other', siteOf('two'));
    const cache = open();
    const other = await cache.find('other');
    const before = await cache.find('shop');
    directory.sites.set('shop', siteOf('new'));
    changes.tell('shop');
    expect(cache.isFresh(before)).toBe(false);
    expect(cache.isFresh(other)).toBe(true);
    expect(await deployIn(cache.find('shop'))).toBe('new');
    expect(cache.isFresh(before)).toBe(false);
  });

  it('notices registered and removed apps', async () => {
    const cache = open();
    await cache.find('late');
    directory.sites.set('late', siteOf('first'));
    changes.tell('late');
    expect(await deployIn(cache.find('late'))).toBe('first');
    directory.sites.delete('late');
    changes.tell('late');
    expect((await cache.find('late')).site).toBeUndefined();
    directory.calls.length = 0;
    expect((await cache.find('late')).site).toBeUndefined();
    expect(directory.calls).toEqual([]);
  });

  it('keeps the entry when a notification changed nothing', async () => {
    const cache = open();
    const before = await cache.find('shop');
    changes.tell('shop');
    expect(await cache.find('shop')).toBe(before);
    expect(cache.isFresh(before)).toBe(true);
  });

  it('notices a release that was rolled back before the next request', async () => {
    const cache = open();
    await cache.find('shop');
    directory.sites.set('shop', { ...siteOf('one'), lastRelease: '2' });
    changes.tell('shop');
    expect((await cache.find('shop')).site?.lastRelease).toBe('2');
  });

  it('does not cache a result from before a change', async () => {
    const slow = new SlowDirectory();
    slow.sites.set('shop', siteOf('old'));
    const cache = open(slow);
    const first = cache.find('shop');
    await settled();
    slow.sites.set('shop', siteOf('new'));
    changes.tell('shop');
    // A request after the change starts a new load.
    const second = cache.find('shop');
    await settled();
    expect(slow.waiting).toHaveLength(2);
    slow.waiting[1]?.();
    expect(await deployIn(second)).toBe('new');
    slow.waiting[0]?.();
    expect(await deployIn(first)).toBe('old');
    expect(await deployIn(cache.find('shop'))).toBe('new');
    expect(slow.calls).toHaveLength(2);
  });

  it('does not cache a result from before a connection loss', async () => {
    const slow = new SlowDirectory();
    slow.sites.set('shop', siteOf('old'));
    const cache = open(slow);
    const first = cache.find('shop');
    await settled();
    slow.sites.set('shop', siteOf('new'));
    changes.regain();
    slow.waiting[0]?.();
    await first;
    const second = cache.find('shop');
    await settled();
    slow.waiting[1]?.();
    expect(await deployIn(second)).toBe('new');
  });

  it('reloads all hosts when changes may have been missed', async () => {
    const cache = open();
    const before = await cache.find('shop');
    changes.regain();
    expect(cache.isFresh(before)).toBe(false);
    expect(await cache.find('shop')).toBe(before);
    expect(directory.calls).toHaveLength(2);
  });

  it('serves stale entries and revalidates them in the background while the change feed is down', async () => {
    const cache = open();
    const before = await cache.find('shop');
    changes.lose();
    now = 1_000;
    directory.sites.set('shop', siteOf('new'));
    expect(cache.find('shop')).toBe(before);
    await settled();
    expect(await deployIn(cache.find('shop'))).toBe('new');
    for (let i = 0; i < 10; i++) await cache.find('shop');
    expect(directory.calls).toHaveLength(2);
  });

  it('serves stale entries while PostgreSQL is unavailable, even changed ones', async () => {
    const cache = open();
    const before = await cache.find('shop');
    directory.failure = new DatabaseUnavailable();
    changes.tell('shop');
    expect(await cache.find('shop')).toBe(before);
    expect(cache.isFresh(before)).toBe(true);
    await expect(cache.find('unknown')).rejects.toBeInstanceOf(DatabaseUnavailable);
    changes.lose();
    expect(cache.find('shop')).toBe(before);
    directory.failure = undefined;
    directory.sites.set('shop', siteOf('new'));
    changes.regain();
    expect(await deployIn(cache.find('shop'))).toBe('new');
  });

  it('does not hide other errors', async () => {
    const cache = open();
    await cache.find('shop');
    directory.failure = new TypeError('a defect');
    changes.tell('shop');
    await expect(cache.find('shop')).rejects.toThrow('a defect');
  });

  it('does not evict sites for random hosts, but the oldest of those', async () => {
    const cache = open();
    const shop = await cache.find('shop');
    for (let i = 0; i < 50_001; i++) await cache.find(`random-${i}`);
    expect(cache.find('shop')).toBe(shop);
    const calls = directory.calls.length;
    await cache.find('random-0');
    expect(directory.calls).toHaveLength(calls + 1);
  });

  it('evicts the least recently used hosts when the rules exceed the limit', async () => {
    const cache = open();
    const forgotten = await cache.find('shop');
    const mebibytes = (count: number) => [
      { from: '/', to: `/${'x'.repeat(count * 1024 * 1024)}`, status: 301 } as const,
    ];
    for (let i = 0; i < 10; i++) {
      const deploy = { id: `many-${i}`, rules: { redirects: mebibytes(4), headers: [] } };
      directory.sites.set(`many-${i}`, { ...siteOf('many'), deploy });
      await cache.find(`many-${i}`);
    }
    // The cache does not receive changes of an evicted host.
    expect(cache.isFresh(forgotten)).toBe(false);
    const first = await cache.find('shop');
    directory.calls.length = 0;
    await cache.find('many-9');
    expect(cache.isFresh(first)).toBe(true);
    expect(directory.calls).toEqual([]);
    expect(await deployIn(cache.find('many-0'))).toBe('many-0');
    expect(directory.calls).toEqual(['site many-0']);
  });
});
