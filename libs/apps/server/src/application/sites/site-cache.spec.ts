import { beforeEach, describe, expect, it } from '@jest/globals';
import { DatabaseUnavailable } from '@homeport/platform/server';
import { InMemorySiteChangeFeed, InMemorySiteDirectory } from '../../adapters/memory/in-memory-site-directory';
import { NO_RULES } from '../../domain/sites/site-rules';
import type { ReleasedName, Site } from './site-directory.port';
import { type SiteCacheEntry, SiteCache } from './site-cache';

const siteOf = (deploy: string): Site => ({
  kind: 'app',
  appId: 'shop',
  name: 'Shop',
  deploy: { id: deploy, rules: NO_RULES },
  lastRelease: '1',
});

/** Answers when the test lets it. */
class SlowDirectory extends InMemorySiteDirectory {
  readonly waiting: (() => void)[] = [];

  override async findSite(label: string): Promise<Site | ReleasedName | undefined> {
    const site = await super.findSite(label);
    await new Promise<void>((resolve) => this.waiting.push(resolve));
    return site;
  }
}

let directory: InMemorySiteDirectory;
let changes: InMemorySiteChangeFeed;
let now: number;
const signal = new AbortController().signal;

function open(use = directory): SiteCache {
  const map = new SiteCache(use, changes, () => now);
  map.open(signal);
  return map;
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
  it('asks once for a host, and answers at once from then on', async () => {
    const map = open();
    const first = await map.find('shop');
    expect(map.find('shop')).toBe(first);
    expect(map.isFresh(first)).toBe(true);
    expect(directory.calls).toEqual(['site shop']);
  });

  it('knows a name that was released, and who has it next', async () => {
    const map = open();
    await map.find('shop');
    directory.sites.set('shop', { kind: 'released' });
    changes.tell('shop');
    expect(await map.find('shop')).toMatchObject({ site: undefined, isReleased: true });
    directory.sites.delete('shop');
    changes.tell('shop');
    expect(await map.find('shop')).toMatchObject({ site: undefined, isReleased: false });
    const clearsDataUntil = new Date(1);
    directory.sites.set('shop', { ...siteOf('two'), appId: 'next', clearsDataUntil });
    changes.tell('shop');
    expect(await map.find('shop')).toMatchObject({ site: { appId: 'next', clearsDataUntil }, isReleased: false });
  });

  it('asks once for a host that nobody has', async () => {
    const map = open();
    expect((await map.find('nobody')).site).toBeUndefined();
    expect((await map.find('nobody')).isReleased).toBe(false);
    await map.find('nobody');
    expect(directory.calls).toEqual(['site nobody']);
  });

  it('asks once for many who ask at once', async () => {
    const map = open();
    await Promise.all(Array.from({ length: 50 }, () => map.find('shop')));
    expect(directory.calls).toHaveLength(1);
  });

  it('asks again after a change, and only for the host that changed', async () => {
    directory.sites.set('other', siteOf('two'));
    const map = open();
    const other = await map.find('other');
    const before = await map.find('shop');
    directory.sites.set('shop', siteOf('new'));
    changes.tell('shop');
    expect(map.isFresh(before)).toBe(false);
    expect(map.isFresh(other)).toBe(true);
    expect(await deployIn(map.find('shop'))).toBe('new');
    expect(map.isFresh(before)).toBe(false);
  });

  it('sees an app that is registered, and one that is removed', async () => {
    const map = open();
    await map.find('late');
    directory.sites.set('late', siteOf('first'));
    changes.tell('late');
    expect(await deployIn(map.find('late'))).toBe('first');
    directory.sites.delete('late');
    changes.tell('late');
    expect((await map.find('late')).site).toBeUndefined();
    directory.calls.length = 0;
    expect((await map.find('late')).site).toBeUndefined();
    expect(directory.calls).toEqual([]);
  });

  it('keeps what was prepared when a change turns out to be none', async () => {
    const map = open();
    const before = await map.find('shop');
    changes.tell('shop');
    expect(await map.find('shop')).toBe(before);
    expect(map.isFresh(before)).toBe(true);
  });

  it('knows of a release that was rolled back before anybody looked', async () => {
    const map = open();
    await map.find('shop');
    directory.sites.set('shop', { ...siteOf('one'), lastRelease: '2' });
    changes.tell('shop');
    expect((await map.find('shop')).site?.lastRelease).toBe('2');
  });

  it('never keeps an answer that a change has overtaken', async () => {
    const slow = new SlowDirectory();
    slow.sites.set('shop', siteOf('old'));
    const map = open(slow);
    const asked = map.find('shop');
    await settled();
    slow.sites.set('shop', siteOf('new'));
    changes.tell('shop');
    // Whoever comes now does not join those who asked before.
    const askedLater = map.find('shop');
    await settled();
    expect(slow.waiting).toHaveLength(2);
    slow.waiting[1]?.();
    expect(await deployIn(askedLater)).toBe('new');
    slow.waiting[0]?.();
    expect(await deployIn(asked)).toBe('old');
    expect(await deployIn(map.find('shop'))).toBe('new');
    expect(slow.calls).toHaveLength(2);
  });

  it('never keeps an answer from before changes may have been missed', async () => {
    const slow = new SlowDirectory();
    slow.sites.set('shop', siteOf('old'));
    const map = open(slow);
    const asked = map.find('shop');
    await settled();
    slow.sites.set('shop', siteOf('new'));
    changes.regain();
    slow.waiting[0]?.();
    await asked;
    const askedLater = map.find('shop');
    await settled();
    slow.waiting[1]?.();
    expect(await deployIn(askedLater)).toBe('new');
  });

  it('asks again for everything when changes may have been missed', async () => {
    const map = open();
    const before = await map.find('shop');
    changes.regain();
    expect(map.isFresh(before)).toBe(false);
    expect(await map.find('shop')).toBe(before);
    expect(directory.calls).toHaveLength(2);
  });

  it('serves what is known at once while changes are not heard of, and looks again beside', async () => {
    const map = open();
    const before = await map.find('shop');
    changes.lose();
    now = 1_000;
    directory.sites.set('shop', siteOf('new'));
    expect(map.find('shop')).toBe(before);
    await settled();
    expect(await deployIn(map.find('shop'))).toBe('new');
    for (let i = 0; i < 10; i++) await map.find('shop');
    expect(directory.calls).toHaveLength(2);
  });

  it('serves what is known while PostgreSQL is away, also what has changed meanwhile', async () => {
    const map = open();
    const before = await map.find('shop');
    directory.failure = new DatabaseUnavailable();
    changes.tell('shop');
    expect(await map.find('shop')).toBe(before);
    expect(map.isFresh(before)).toBe(true);
    await expect(map.find('unknown')).rejects.toBeInstanceOf(DatabaseUnavailable);
    changes.lose();
    expect(map.find('shop')).toBe(before);
    directory.failure = undefined;
    directory.sites.set('shop', siteOf('new'));
    changes.regain();
    expect(await deployIn(map.find('shop'))).toBe('new');
  });

  it('lets defects through', async () => {
    const map = open();
    await map.find('shop');
    directory.failure = new TypeError('a defect');
    changes.tell('shop');
    await expect(map.find('shop')).rejects.toThrow('a defect');
  });

  it('drives no site out when random hosts are asked for, and forgets the oldest of those', async () => {
    const map = open();
    const shop = await map.find('shop');
    for (let i = 0; i < 50_001; i++) await map.find(`random-${i}`);
    expect(map.find('shop')).toBe(shop);
    const calls = directory.calls.length;
    await map.find('random-0');
    expect(directory.calls).toHaveLength(calls + 1);
  });

  it('forgets what was not asked for the longest when the rules of all would fill the memory', async () => {
    const map = open();
    const forgotten = await map.find('shop');
    const mebibytes = (count: number) => [
      { from: '/', to: `/${'x'.repeat(count * 1024 * 1024)}`, status: 301 } as const,
    ];
    for (let i = 0; i < 10; i++) {
      const deploy = { id: `many-${i}`, rules: { redirects: mebibytes(4), headers: [] } };
      directory.sites.set(`many-${i}`, { ...siteOf('many'), deploy });
      await map.find(`many-${i}`);
    }
    // Nobody would hear of its changes any more.
    expect(map.isFresh(forgotten)).toBe(false);
    const first = await map.find('shop');
    directory.calls.length = 0;
    await map.find('many-9');
    expect(map.isFresh(first)).toBe(true);
    expect(directory.calls).toEqual([]);
    expect(await deployIn(map.find('many-0'))).toBe('many-0');
    expect(directory.calls).toEqual(['site many-0']);
  });
});
