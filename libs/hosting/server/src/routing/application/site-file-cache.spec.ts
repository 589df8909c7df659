import { beforeEach, describe, expect, it } from '@jest/globals';
import { DatabaseUnavailable } from '@homeport/kernel';
import { InMemorySiteDirectory } from '../adapters/memory/in-memory-site-directory';
import { NO_RULES } from '@homeport/hosting/contracts';
import { siteFile } from '../../testing/site-file';
import { SiteFileCache } from './site-file-cache';
import type { DeployedSite } from './site-resolver';

const siteAt = (lastRelease: string): DeployedSite => ({
  kind: 'app',
  appId: 'app',
  name: 'Shop',
  deploy: { id: 'one', rules: NO_RULES },
  lastRelease,
});

let directory: InMemorySiteDirectory;
let files: SiteFileCache;

beforeEach(async () => {
  directory = new InMemorySiteDirectory();
  files = new SiteFileCache(directory);
  const own = await Promise.all(['a', 'b'].map((path) => siteFile({ deployId: 'one', path }, path)));
  directory.deploys.set('one', { appId: 'app', files: own });
});

const pathsOf = async (paths: readonly string[], deploy = 'one') =>
  [...(await files.find(deploy, paths)).keys()].sort();

describe('SiteFileCache', () => {
  it('loads only unknown paths, in one query', async () => {
    expect(await pathsOf(['a', 'missing'])).toEqual(['a']);
    expect(await pathsOf(['a', 'b', 'missing', 'other'])).toEqual(['a', 'b']);
    expect(await pathsOf(['other', 'missing', 'b'])).toEqual(['b']);
    expect(directory.calls).toEqual(['files a missing', 'files b other']);
  });

  it('separates the files of different deploys', async () => {
    await pathsOf(['a']);
    expect(await pathsOf(['a'], 'two')).toEqual([]);
    expect(await pathsOf(['a'])).toEqual(['a']);
  });

  it('loads files once for concurrent requests', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => pathsOf(['a', 'missing'])));
    expect(new Set(answers.map(String))).toEqual(new Set(['a']));
    expect(directory.calls).toHaveLength(1);
  });

  it('does not cache failures', async () => {
    directory.failure = new DatabaseUnavailable();
    await expect(files.find('one', ['a'])).rejects.toBeInstanceOf(DatabaseUnavailable);
    directory.failure = undefined;
    expect(await pathsOf(['a'])).toEqual(['a']);
  });

  it('loads files of earlier deploys once after each release', async () => {
    const earlier = async (release: string) => (await files.findInEarlierDeploy(siteAt(release), 'late'))?.path;
    expect(await earlier('1')).toBeUndefined();
    directory.deploys.set('two', { appId: 'app', files: [await siteFile({ deployId: 'two', path: 'late' }, 'late')] });
    directory.released.add('two');
    expect(await earlier('1')).toBeUndefined();
    expect(await earlier('2')).toBe('late');
    expect(await earlier('2')).toBe('late');
    expect(directory.calls).toEqual(['earlier late', 'earlier late']);
  });

  it('loads an invalidated file again', async () => {
    const late = await siteFile({ deployId: 'zero', path: 'late' }, 'late');
    directory.deploys.set('zero', { appId: 'app', files: [late] });
    directory.released.add('zero');
    expect(await files.findInEarlierDeploy(siteAt('1'), 'late')).toBe(late);
    directory.deploys.delete('zero');
    expect(await files.findInEarlierDeploy(siteAt('1'), 'late')).toBe(late);
    files.invalidate(siteAt('1'), late);
    expect(await files.findInEarlierDeploy(siteAt('1'), 'late')).toBeUndefined();
    const own = (await files.find('one', ['a'])).get('a')!;
    files.invalidate(siteAt('1'), own);
    expect(await pathsOf(['a'])).toEqual(['a']);
    expect(directory.calls).toEqual(['earlier late', 'earlier late', 'files a', 'files a']);
  });
});
