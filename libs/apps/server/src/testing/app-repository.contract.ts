import { describe, expect, it } from '@jest/globals';
import type { Member } from '@homeport/identity/server';
import type { AppRepository } from '../application/registry/app-repository.port';
import type { DnsLedger } from '../application/dns/dns-ledger.port';
import type { AppRecord, NewApp } from '../domain/registry/app-record';
import type { NameQuarantine } from '../domain/registry/former-owner';
import { AppQuotaExceeded, SubdomainTaken } from '../domain/registry/apps.errors';
import { parseSubdomain } from '../domain/registry/subdomain';

export interface AppRepositoryHarness {
  readonly apps: AppRepository;
  /** Uses the same store as `apps`. */
  readonly ledger: DnsLedger;
  /** Moves the release of a name the given number of days into the past. */
  releasedDaysAgo(subdomain: string, days: number): Promise<void>;
}

const EDGE = { target: 'edge.example', ttl: 60 };
const QUOTA = { quota: 100 };
const QUARANTINE: NameQuarantine = { days: 30, maxNames: 100 };
/** For tests of a repository without a quarantine of names. */
export const NO_QUARANTINE: NameQuarantine = { days: 0, maxNames: 100 };
const ABSENT = '00000000-0000-4000-8000-000000000000';

let count = 0;
const fresh = (prefix: string) => `${prefix}-${process.pid}-${count++}`;

export function memberOf(organization: string): Member {
  return { issuer: 'https://issuer.example', subject: 'ada', organization };
}

export function newApp(subdomain = fresh('shop')): NewApp {
  return { name: 'My Shop', subdomain: parseSubdomain(subdomain, []), type: 'static' };
}

/** The contract of every `AppRepository` adapter. */
export function appRepositoryContract(name: string, open: (quarantine?: NameQuarantine) => AppRepositoryHarness): void {
  describe(`${name} as an app repository`, () => {
    const register = (member: Member, app = newApp()) => open().apps.register(member, app, QUOTA);
    /** Registers an app and settles its DNS record. */
    const settled = async (member: Member, app = newApp()): Promise<AppRecord> => {
      const { app: registered, lease } = await register(member, app);
      if (lease) await open().ledger.recordOutcome(lease, { state: 'settled', record: EDGE });
      return registered;
    };
    /** Removes an app. Its DNS record is removed too, unless `error` is set. */
    const remove = async (member: Member, app: AppRecord, error?: 'timeout') => {
      const lease = await open().apps.acquireDnsLease(app);
      if (!lease) throw new Error('another process has the lease');
      const outcome = error
        ? ({ state: 'failed', error, afterMs: 60_000 } as const)
        : ({ state: 'settled', record: undefined } as const);
      return open().apps.remove(member, app, { lease, outcome });
    };

    it('stores the given values and adds the initial state of an app', async () => {
      const member = memberOf(fresh('org'));
      const requested = newApp();
      const { app, lease } = await register(member, requested);
      expect(app).toMatchObject({
        ...requested,
        organization: member.organization,
        deployCount: 0,
        activeDeployId: null,
        dns: { state: 'pending', error: undefined },
      });
      expect(app.createdAt).toBeInstanceOf(Date);
      expect(lease).toMatchObject({ subdomain: requested.subdomain, appId: app.id, known: undefined, minTtl: 60 });
      expect(await open().apps.find(member.organization, app.id)).toEqual(app);
    });

    it('gives a subdomain to one of many concurrent registrations', async () => {
      const requested = newApp();
      const tries = Array.from({ length: 20 }, (_, i) =>
        register(memberOf(`${requested.subdomain}-org-${i}`), requested),
      );
      const results = await Promise.allSettled(tries);
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      const refusals = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
      for (const refusal of refusals) expect(refusal).toBeInstanceOf(SubdomainTaken);
    });

    it('rejects a taken subdomain within the same organization too', async () => {
      const member = memberOf(fresh('org'));
      const requested = newApp();
      await register(member, requested);
      await expect(register(member, requested)).rejects.toBeInstanceOf(SubdomainTaken);
    });

    it('enforces the quota of an organization under concurrent registrations', async () => {
      const member = memberOf(fresh('org'));
      const tries = Array.from({ length: 6 }, () => open().apps.register(member, newApp(), { quota: 4 }));
      const results = await Promise.allSettled(tries);
      const refusals = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
      expect(refusals).toHaveLength(2);
      for (const refusal of refusals) expect(refusal).toBeInstanceOf(AppQuotaExceeded);
      expect((await open().apps.list(member.organization)).apps).toHaveLength(4);
    });

    it('lists only the apps of the organization, newest first', async () => {
      const member = memberOf(fresh('org'));
      const { app: first } = await register(member);
      const { app: second } = await register(member);
      await register(memberOf(fresh('other')));
      const { apps, end } = await open().apps.list(member.organization);
      expect([apps.map(({ id }) => id), end]).toEqual([[second.id, first.id], undefined]);
      expect(await open().apps.list(fresh('nobody'))).toEqual({ apps: [] });
    });

    it('lists all apps in pages without gaps or repeats', async () => {
      const member = memberOf(fresh('org'));
      for (let i = 0; i < 5; i += 1) await register(member);
      const { apps: all } = await open().apps.list(member.organization);
      const first = await open().apps.list(member.organization, { limit: 2 });
      // A new app is first in the list and does not shift the next page.
      await register(member);
      if (!first.end) throw new Error('the first page is not the last one');
      const second = await open().apps.list(member.organization, { limit: 3, after: first.end });
      expect([...first.apps, ...second.apps]).toEqual(all);
      expect(second.end).toBeUndefined();
    });

    it('does not find an app that is absent, malformed or of another organization', async () => {
      const { app } = await register(memberOf(fresh('org')));
      expect(await open().apps.find(fresh('other'), app.id)).toBeUndefined();
      for (const id of [ABSENT, 'nonsense', '', "' or true --"]) {
        expect(await open().apps.find(app.organization, id)).toBeUndefined();
      }
    });

    it('removes an app only once', async () => {
      const member = memberOf(fresh('org'));
      const app = await settled(member);
      expect(await remove(member, app)).toBe(0);
      expect(await open().apps.remove(member, app, undefined)).toBeUndefined();
      expect(await open().apps.find(app.organization, app.id)).toBeUndefined();
    });

    it('removes no app of another organization', async () => {
      const app = await settled(memberOf(fresh('org')));
      expect(await open().apps.remove(memberOf(fresh('other')), app, undefined)).toBeUndefined();
      expect(await open().apps.find(app.organization, app.id)).toMatchObject({ id: app.id });
    });

    it('keeps a released name closed to other organizations during its quarantine', async () => {
      const { apps, releasedDaysAgo } = open(QUARANTINE);
      const member = memberOf(fresh('org'));
      const other = memberOf(fresh('other'));
      const app = await settled(member);
      await remove(member, app);
      await releasedDaysAgo(app.subdomain, 29);
      expect(await apps.isTaken(other.organization, app.subdomain)).toBe(true);
      await expect(apps.register(other, app, QUOTA)).rejects.toBeInstanceOf(SubdomainTaken);
      expect((await apps.list(other.organization)).apps).toEqual([]);
      await releasedDaysAgo(app.subdomain, 31);
      expect(await apps.isTaken(other.organization, app.subdomain)).toBe(false);
      await apps.register(other, app, QUOTA);
    });

    it('opens the names that an organization released first, when it has too many in quarantine', async () => {
      const { apps, releasedDaysAgo } = open({ days: 30, maxNames: 2 });
      const member = memberOf(fresh('org'));
      const other = memberOf(fresh('other'));
      const names: NewApp[] = [];
      for (const daysAgo of [3, 2, 1]) {
        const app = await settled(member);
        await remove(member, app);
        await releasedDaysAgo(app.subdomain, daysAgo);
        names.push(app);
      }
      const isTaken = names.map(({ subdomain }) => apps.isTaken(other.organization, subdomain));
      expect(await Promise.all(isTaken)).toEqual([false, true, true]);
      const [first, second] = names as [NewApp, NewApp];
      await expect(apps.register(other, second, QUOTA)).rejects.toBeInstanceOf(SubdomainTaken);
      await apps.register(other, first, QUOTA);
    });

    it('gives a released name back to its organization, and restarts the quarantine on release', async () => {
      const { apps, releasedDaysAgo } = open(QUARANTINE);
      const member = memberOf(fresh('org'));
      const other = memberOf(fresh('other'));
      const app = await settled(member);
      await remove(member, app);
      await releasedDaysAgo(app.subdomain, 31);
      expect(await apps.isTaken(member.organization, app.subdomain)).toBe(false);
      const again = await settled(member, app);
      await remove(member, again);
      await expect(apps.register(other, app, QUOTA)).rejects.toBeInstanceOf(SubdomainTaken);
    });

    it('lets no other organization register a name between its deletion and the quarantine', async () => {
      const { apps } = open(QUARANTINE);
      const member = memberOf(fresh('org'));
      const app = await settled(member);
      const tries = Array.from({ length: 10 }, (_, i) =>
        apps.register(memberOf(`${app.subdomain}-org-${i}`), app, QUOTA),
      );
      const results = await Promise.allSettled([remove(member, app), ...tries]);
      expect(results.map(({ status }) => status)).toEqual(['fulfilled', ...tries.map(() => 'rejected')]);
    });

    it('purges former owners after a year, but not during their quarantine', async () => {
      const member = memberOf(fresh('org'));
      const other = memberOf(fresh('other'));
      const [old, closed] = [await settled(member), await settled(member)];
      for (const app of [old, closed]) {
        await remove(member, app);
        await open().releasedDaysAgo(app.subdomain, 400);
      }
      await open({ ...QUARANTINE, days: 500 }).apps.purgeFormerOwners();
      expect(await open({ ...QUARANTINE, days: 500 }).apps.isTaken(other.organization, closed.subdomain)).toBe(true);
      await open(QUARANTINE).apps.purgeFormerOwners();
      expect(await open({ ...QUARANTINE, days: 500 }).apps.isTaken(other.organization, old.subdomain)).toBe(false);
    });

    it('opens a name to every organization when its record is removed and the quarantine is off', async () => {
      const member = memberOf(fresh('org'));
      const app = await settled(member);
      const other = memberOf(fresh('other'));
      expect(await open().apps.isTaken(other.organization, app.subdomain)).toBe(true);
      await remove(member, app);
      expect(await open().apps.isTaken(other.organization, app.subdomain)).toBe(false);
      await register(other, app);
    });

    it('keeps a name for its former organization while its record may exist', async () => {
      const member = memberOf(fresh('org'));
      const app = await settled(member);
      await remove(member, app, 'timeout');
      const other = memberOf(fresh('other'));
      await expect(register(other, app)).rejects.toBeInstanceOf(SubdomainTaken);
      expect(await open().apps.isTaken(other.organization, app.subdomain)).toBe(true);
      expect(await open().apps.isTaken(member.organization, app.subdomain)).toBe(false);
      const again = await settled(member, app);
      await remove(member, again);
      await register(other, app);
    });

    it('returns the known record when a name is registered again', async () => {
      const member = memberOf(fresh('org'));
      const app = await settled(member);
      await remove(member, app, 'timeout');
      const { lease } = await register(member, app);
      expect(lease?.known).toEqual(EDGE);
    });

    it('gives the lease of a record to one caller at a time', async () => {
      const app = await settled(memberOf(fresh('org')));
      const leases = await Promise.all(Array.from({ length: 5 }, () => open().apps.acquireDnsLease(app)));
      expect(leases.filter((lease) => lease !== undefined)).toHaveLength(1);
      expect(await open().apps.acquireDnsLeaseForRetry(memberOf(app.organization), app)).toBeUndefined();
    });
  });
}
