import { describe, expect, it } from '@jest/globals';
import type { SiteDirectory, SiteFile } from '../routing/application/site-directory.port';
import { SiteHostnames, aliasLabel, previewLabel, type SiteRules } from '@homeport/hosting/contracts';

/** The hostnames of the directories in this suite. */
export const SITE_HOSTNAMES = new SiteHostnames('apps.test');

/** A deploy to seed, with files at these paths. */
export interface SeededDeploy {
  readonly paths: readonly string[];
  readonly status?: 'ready' | 'failed' | 'archived';
  readonly rules?: SiteRules;
}

export interface SiteDirectoryHarness {
  readonly directory: SiteDirectory;
  /** Creates an app. @returns its id. */
  app(subdomain: string, name: string): Promise<string>;
  /** Creates a deploy that is newer than all before. @returns its id. */
  deploy(appId: string, deploy: SeededDeploy): Promise<string>;
  activate(appId: string, deployId: string): Promise<void>;
  /** Points the alias of a branch at a deploy. */
  alias(label: string, appId: string, deployId: string): Promise<void>;
  /** Deletes a deploy that is not active. */
  removeDeploy(appId: string, deployId: string): Promise<void>;
  /** Sets until when browsers must clear data that a former owner of the name stored. */
  clearDataUntil(appId: string, until: Date): Promise<void>;
  /** Removes an app, which releases its name. */
  removeApp(appId: string): Promise<void>;
}

const ABSENT = '00000000-0000-4000-8000-000000000000';
let count = 0;

/** The contract of every `SiteDirectory` adapter. */
export function siteDirectoryContract(name: string, open: () => SiteDirectoryHarness): void {
  const pathsOf = (files: readonly SiteFile[]) => files.map(({ path }) => path).sort();
  const registered = async () => {
    const label = `site-${process.pid}-${count++}`;
    return { hostname: SITE_HOSTNAMES.hostnameOf(label), appId: await open().app(label, 'A “site” & more') };
  };

  describe(`${name} as a site directory`, () => {
    it('finds no site at an unknown host', async () => {
      const { directory } = open();
      for (const label of ['nobody', '', 'pv--', previewLabel(ABSENT), "it's", 'a%', '\u2603']) {
        expect(await directory.findSite(SITE_HOSTNAMES.hostnameOf(label))).toBeUndefined();
      }
    });

    it('finds an app only directly below the platform domain', async () => {
      const { hostname } = await registered();
      const { directory } = open();
      for (const other of [
        `a.${hostname}`,
        `${hostname}.example`,
        hostname.split('.')[0] ?? '',
        SITE_HOSTNAMES.domain,
      ]) {
        expect(await directory.findSite(other)).toBeUndefined();
      }
    });

    it('finds an app without a live deploy', async () => {
      const { hostname, appId } = await registered();
      await open().deploy(appId, { paths: ['index.html'] });
      expect(await open().directory.findSite(hostname)).toEqual({ kind: 'app', appId, name: 'A “site” & more' });
    });

    it('distinguishes a released name from one that was never registered', async () => {
      const { hostname, appId } = await registered();
      await open().removeApp(appId);
      expect(await open().directory.findSite(hostname)).toEqual({ kind: 'released' });
    });

    it('returns until when data of a former owner must be cleared', async () => {
      const { hostname, appId } = await registered();
      const until = new Date(Date.now() + 3_600_000);
      await open().clearDataUntil(appId, until);
      expect(await open().directory.findSite(hostname)).toMatchObject({ appId, clearsDataUntil: until });
    });

    it('finds the active deploy and its rules', async () => {
      const { hostname, appId } = await registered();
      const rules: SiteRules = { redirects: [], headers: [] };
      const id = await open().deploy(appId, { paths: ['index.html'], rules });
      await open().activate(appId, id);
      await open().deploy(appId, { paths: ['index.html'] });
      expect(await open().directory.findSite(hostname)).toEqual({
        kind: 'app',
        appId,
        name: 'A “site” & more',
        deploy: { id, rules },
        lastRelease: expect.any(String),
      });
    });

    it('distinguishes a deploy that is active again from one that stayed active', async () => {
      const { hostname, appId } = await registered();
      const { deploy, activate, directory } = open();
      const ids = [await deploy(appId, { paths: [] }), await deploy(appId, { paths: [] })] as const;
      const releases: unknown[] = [];
      for (const id of [...ids, ids[0]]) {
        await activate(appId, id);
        const [site, again] = [await directory.findSite(hostname), await directory.findSite(hostname)];
        if (site?.kind === 'app') releases.push(site.lastRelease);
        expect(again).toMatchObject({ lastRelease: releases.at(-1) });
      }
      expect(new Set(releases).size).toBe(3);
    });

    it('finds the preview of a ready deploy, active or not, and of no other deploy', async () => {
      const { appId } = await registered();
      const ready = await open().deploy(appId, { paths: ['index.html'] });
      const archived = await open().deploy(appId, { paths: [], status: 'archived' });
      const failed = await open().deploy(appId, { paths: [], status: 'failed' });
      const { directory } = open();
      expect(await directory.findSite(SITE_HOSTNAMES.hostnameOf(previewLabel(ready)))).toMatchObject({
        kind: 'preview',
        appId,
        deploy: { id: ready },
      });
      expect(await directory.findSite(SITE_HOSTNAMES.hostnameOf(previewLabel(archived)))).toBeUndefined();
      expect(await directory.findSite(SITE_HOSTNAMES.hostnameOf(previewLabel(failed)))).toBeUndefined();
    });

    it('finds the deploy that a branch alias shows', async () => {
      const { hostname, appId } = await registered();
      const { deploy, alias, removeDeploy, directory } = open();
      const label = aliasLabel('feature-x', hostname.split('.')[0] ?? '');
      const aliased = SITE_HOSTNAMES.hostnameOf(label);
      expect(await directory.findSite(aliased)).toBeUndefined();
      const ids = [await deploy(appId, { paths: [] }), await deploy(appId, { paths: [] })] as const;
      for (const id of ids) {
        await alias(label, appId, id);
        expect(await directory.findSite(aliased)).toMatchObject({ kind: 'preview', appId, deploy: { id } });
      }
      await removeDeploy(appId, ids[1]);
      expect(await directory.findSite(aliased)).toBeUndefined();
    });

    it('finds nothing of a deleted deploy, and changes the last release', async () => {
      const { hostname, appId } = await registered();
      const { deploy, activate, removeDeploy, directory } = open();
      const withdrawn = await deploy(appId, { paths: ['old.js'] });
      await activate(appId, withdrawn);
      await activate(appId, await deploy(appId, { paths: ['index.html'] }));
      const before = await directory.findSite(hostname);
      expect(await directory.findInEarlierDeploy(appId, 'old.js')).toMatchObject({ deployId: withdrawn });
      await removeDeploy(appId, withdrawn);
      expect(await directory.findSite(SITE_HOSTNAMES.hostnameOf(previewLabel(withdrawn)))).toBeUndefined();
      expect(await directory.findInEarlierDeploy(appId, 'old.js')).toBeUndefined();
      const after = await directory.findSite(hostname);
      expect(after).toEqual({ ...before, lastRelease: expect.any(String) });
      expect(after).not.toEqual(before);
    });

    it('finds the requested files of a deploy with their metadata', async () => {
      const { appId } = await registered();
      const id = await open().deploy(appId, { paths: ['index.html', 'a/b.js', 'ünïcode'] });
      const files = await open().directory.findFiles(id, ['a/b.js', 'index.html', 'A/b.js', 'c', 'ünïcode']);
      expect(pathsOf(files)).toEqual(['a/b.js', 'index.html', 'ünïcode']);
      for (const file of files) {
        expect(file).toMatchObject({ deployId: id, contentType: expect.any(String), size: expect.any(Number) });
        expect(file.digest).toMatch(/^[0-9a-f]{64}$/);
        expect(file.blob).toContain(file.digest);
      }
      expect(await open().directory.findFiles(ABSENT, ['index.html'])).toEqual([]);
      expect(await open().directory.findFiles(id, [])).toEqual([]);
    });

    it('finds a file in the newest deploy that is ready, was live and contains it', async () => {
      const { appId } = await registered();
      const { appId: other } = await registered();
      const { deploy, activate, directory } = open();
      await activate(appId, await deploy(appId, { paths: ['old.js', 'both.js'] }));
      const newer = await deploy(appId, { paths: ['both.js'] });
      await activate(appId, newer);
      await deploy(appId, { paths: ['gone.js', 'both.js'], status: 'archived' });
      await deploy(appId, { paths: ['secret.js', 'both.js'] });
      await activate(other, await deploy(other, { paths: ['foreign.js', 'both.js'] }));
      expect(await directory.findInEarlierDeploy(appId, 'both.js')).toMatchObject({ deployId: newer, path: 'both.js' });
      expect(await directory.findInEarlierDeploy(appId, 'old.js')).toMatchObject({ path: 'old.js' });
      expect(await directory.findInEarlierDeploy(appId, 'gone.js')).toBeUndefined();
      expect(await directory.findInEarlierDeploy(appId, 'secret.js')).toBeUndefined();
      expect(await directory.findInEarlierDeploy(appId, 'foreign.js')).toBeUndefined();
    });
  });
}
