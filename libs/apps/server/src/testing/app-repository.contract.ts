import { describe, expect, it } from '@jest/globals';
import type { AppRepository } from '../application/app-repository.port';
import type { NewApp } from '../domain/app-record';
import { SubdomainTaken } from '../domain/apps.errors';
import { parseSubdomain } from '../domain/subdomain';

/** What every adapter of `AppRepository` must do. */
export function appRepositoryContract(name: string, open: () => AppRepository): void {
  describe(`${name} as an app repository`, () => {
    let count = 0;
    const fresh = (prefix: string) => `${prefix}-${process.pid}-${count++}`;
    const newApp = (organization: string, subdomain = fresh('shop')): NewApp => ({
      organization,
      name: 'My Shop',
      subdomain: parseSubdomain(subdomain, []),
      type: 'static',
      createdBy: 'ada',
    });

    it('keeps what it was given and adds what an app starts with', async () => {
      const organization = fresh('org');
      const app = await open().add(newApp(organization));
      expect(app).toMatchObject({
        organization,
        name: 'My Shop',
        type: 'static',
        createdBy: 'ada',
        deployCount: 0,
        activeDeployId: null,
        dns: { status: 'dns-pending' },
      });
      expect(app.createdAt).toBeInstanceOf(Date);
      expect(await open().find(organization, app.id)).toEqual(app);
    });

    it('gives a subdomain to one of many who try at once', async () => {
      const subdomain = fresh('race');
      const tries = Array.from({ length: 20 }, (_, i) => open().add(newApp(`${subdomain}-org-${i}`, subdomain)));
      const results = await Promise.allSettled(tries);
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      const refusals = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
      for (const refusal of refusals) expect(refusal).toBeInstanceOf(SubdomainTaken);
    });

    it('refuses a taken subdomain to its own organization too', async () => {
      const organization = fresh('org');
      const app = newApp(organization);
      await open().add(app);
      await expect(open().add(app)).rejects.toBeInstanceOf(SubdomainTaken);
    });

    it('lists an organization’s own apps, newest first', async () => {
      const organization = fresh('org');
      const first = await open().add(newApp(organization));
      const second = await open().add(newApp(organization));
      await open().add(newApp(fresh('other')));
      expect((await open().list(organization)).map(({ id }) => id)).toEqual([second.id, first.id]);
      expect(await open().list(fresh('nobody'))).toEqual([]);
    });

    it('does not find what is absent, malformed or another organization’s', async () => {
      const app = await open().add(newApp(fresh('org')));
      expect(await open().find(fresh('other'), app.id)).toBeUndefined();
      for (const id of ['00000000-0000-4000-8000-000000000000', 'nonsense', '', "' or true --"]) {
        expect(await open().find(app.organization, id)).toBeUndefined();
      }
    });

    it('records what became of the DNS record', async () => {
      const app = await open().add(newApp(fresh('org')));
      const error = {
        code: 'timeout',
        message: 'Too slow.',
        retryable: true,
        attempts: 1,
        next_attempt_at: null,
      } as const;
      const failed = await open().recordDns(app.id, { status: 'dns-failed', error });
      expect(failed?.dns).toEqual({ status: 'dns-failed', error });
      expect((await open().recordDns(app.id, { status: 'dns-active' }))?.dns).toEqual({ status: 'dns-active' });
      const absent = await open().recordDns('00000000-0000-4000-8000-000000000000', { status: 'dns-active' });
      expect(absent).toBeUndefined();
    });

    it('removes an app once', async () => {
      const app = await open().add(newApp(fresh('org')));
      expect(await open().remove(app, false)).toBe(true);
      expect(await open().remove(app, false)).toBe(false);
      expect(await open().find(app.organization, app.id)).toBeUndefined();
    });

    it('removes nothing for another organization', async () => {
      const app = await open().add(newApp(fresh('org')));
      expect(await open().remove({ ...app, organization: fresh('other') }, false)).toBe(false);
      expect(await open().find(app.organization, app.id)).toEqual(app);
    });

    it('opens a removed name to everybody', async () => {
      const app = await open().add(newApp(fresh('org')));
      await open().remove(app, false);
      await open().add(newApp(fresh('other'), app.subdomain));
    });

    it('keeps a name with a dangling record for its former organization', async () => {
      const app = await open().add(newApp(fresh('org')));
      await open().remove(app, true);
      await expect(open().add(newApp(fresh('other'), app.subdomain))).rejects.toBeInstanceOf(SubdomainTaken);
      const again = await open().add(newApp(app.organization, app.subdomain));
      await open().remove(again, false);
      await open().add(newApp(fresh('other'), app.subdomain));
    });
  });
}
