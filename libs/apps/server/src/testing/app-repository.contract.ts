import { describe, expect, it } from '@jest/globals';
import type { Member } from '@homeport/identity/contracts';
import type { AppsUnitOfWork } from '../shared/application/apps-unit-of-work.port';
import type { DnsLedger } from '../dns/application/dns-ledger.port';
import type { AppRepository } from '../registry/application/app-repository.port';
import type { FormerOwnerRepository } from '../registry/application/former-owner-repository.port';
import type { AppRecord, NewApp } from '../registry/domain/app-record';
import { AppNotFound, AppQuotaExceeded, SubdomainTaken } from '../registry/domain/apps.errors';
import { DAY_MS, FORMER_OWNER_DAYS, type NameQuarantine } from '../registry/domain/former-owner';
import { type AppFixture, type AppFixtureOptions, memberOf, newApp } from './app-fixture';

export interface AppRepositoryHarness {
  readonly unitOfWork: AppsUnitOfWork;
  readonly apps: AppRepository;
  readonly formerOwners: FormerOwnerRepository;
  readonly ledger: DnsLedger;
  /** The use cases over the same store. */
  readonly registry: AppFixture;
  /** Moves the release of a name the given number of days into the past. */
  releasedDaysAgo(subdomain: string, days: number): Promise<void>;
  /** The recorded actions of an organization, in order. */
  auditedActions(organization: string): Promise<readonly string[]>;
}

const EDGE = { target: 'edge.example', ttl: 60 };
const QUARANTINE: NameQuarantine = { days: 30, maxNames: 100 };
const ABSENT = '00000000-0000-4000-8000-000000000000';

let count = 0;
const fresh = (prefix: string) => `${prefix}-${process.pid}-${count++}`;

/** The contract of every `AppsUnitOfWork` and its `AppRepository`, `FormerOwnerRepository` and `AuditTrail`. */
export function appRepositoryContract(name: string, open: (options?: AppFixtureOptions) => AppRepositoryHarness): void {
  describe(`${name} as an app repository`, () => {
    const register = (member: Member, app = newApp()) => open().registry.register(member, app);
    /** Registers an app and settles its DNS record. */
    const settled = async (member: Member, app = newApp()): Promise<AppRecord> => {
      const { app: registered, lease } = await register(member, app);
      if (lease) await open().ledger.recordOutcome(lease, { state: 'settled', record: EDGE });
      return registered;
    };
    /** Removes an app. Its DNS record is removed too, unless `error` is set. */
    const remove = async (member: Member, app: AppRecord, error?: 'timeout') => {
      const lease = await open().registry.acquireDnsLease(app);
      if (!lease) throw new Error('another process has the lease');
      const outcome = error
        ? ({ state: 'failed', error, afterMs: 60_000 } as const)
        : ({ state: 'settled', record: undefined } as const);
      return open().registry.remove(member, app, { lease, outcome });
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
      const tries = Array.from({ length: 6 }, () => open({ quota: 4 }).registry.register(member));
      const results = await Promise.allSettled(tries);
      const refusals = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
      expect(refusals).toHaveLength(2);
      for (const refusal of refusals) expect(refusal).toBeInstanceOf(AppQuotaExceeded);
      expect((await open().apps.list(member.organization)).apps).toHaveLength(4);
    });

    it('checks the quota before the name', async () => {
      const member = memberOf(fresh('org'));
      const { app: taken } = await register(memberOf(fresh('other')));
      await register(member);
      await expect(open({ quota: 1 }).registry.register(member, taken)).rejects.toBeInstanceOf(AppQuotaExceeded);
      await expect(open({ quota: 2 }).registry.register(member, taken)).rejects.toBeInstanceOf(SubdomainTaken);
    });

    it('stores no change of a unit of work that throws', async () => {
      const member = memberOf(fresh('org'));
      const { organization } = member;
      const app = await settled(member);
      const before = await open().apps.list(organization);
      const work = open().unitOfWork.run(async ({ apps, formerOwners, dns, audit }) => {
        await apps.add({ ...newApp(), organization, createdBy: member.subject });
        await apps.update(app.id, { deployCount: 7 });
        const removed = await apps.remove(organization, app.id);
        if (removed) await formerOwners.add(removed.toFormerOwner());
        await dns.withdrawRecord(app.id);
        await audit.record({ organization, actor: member, action: 'apps.deleted', target: app.id, detail: {} });
        throw new AppNotFound();
      });
      await expect(work).rejects.toBeInstanceOf(AppNotFound);
      expect(await open().apps.list(organization)).toEqual(before);
      expect(await open().formerOwners.historyOf(app.subdomain, 1)).toMatchObject({ formerOwner: undefined });
      expect(await open().registry.acquireDnsLease(app)).toMatchObject({ appId: app.id });
      expect(await open().auditedActions(organization)).toEqual(['apps.registered']);
    });

    it('records who registers, retries and deletes apps', async () => {
      const member = memberOf(fresh('org'));
      const app = await settled(member);
      const lease = await open().registry.acquireDnsLeaseForRetry(member, app);
      if (lease) await open().ledger.recordOutcome(lease, { state: 'settled', record: EDGE });
      await remove(member, app);
      await expect(open({ quota: 0 }).registry.register(member)).rejects.toBeInstanceOf(AppQuotaExceeded);
      const actions = ['apps.registered', 'apps.dns-retried', 'apps.deleted'];
      expect(await open().auditedActions(member.organization)).toEqual(actions);
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
      await expect(open().registry.remove(member, app)).rejects.toBeInstanceOf(AppNotFound);
      expect(await open().apps.find(app.organization, app.id)).toBeUndefined();
    });

    it('removes no app of another organization', async () => {
      const app = await settled(memberOf(fresh('org')));
      const other = memberOf(fresh('other'));
      await expect(open().registry.remove(other, app)).rejects.toBeInstanceOf(AppNotFound);
      expect(await open().apps.remove(other.organization, app.id)).toBeUndefined();
      expect(await open().apps.find(app.organization, app.id)).toMatchObject({ id: app.id });
    });

    it('keeps a released name closed to other organizations during its quarantine', async () => {
      const { apps, registry, releasedDaysAgo } = open({ quarantine: QUARANTINE });
      const member = memberOf(fresh('org'));
      const other = memberOf(fresh('other'));
      const app = await settled(member);
      await remove(member, app);
      await releasedDaysAgo(app.subdomain, 29);
      expect(await registry.isTaken(other.organization, app.subdomain)).toBe(true);
      await expect(registry.register(other, app)).rejects.toBeInstanceOf(SubdomainTaken);
      expect((await apps.list(other.organization)).apps).toEqual([]);
      await releasedDaysAgo(app.subdomain, 31);
      expect(await registry.isTaken(other.organization, app.subdomain)).toBe(false);
      await registry.register(other, app);
    });

    it('opens the names that an organization released first, when it has too many in quarantine', async () => {
      const { registry, releasedDaysAgo } = open({ quarantine: { days: 30, maxNames: 2 } });
      const member = memberOf(fresh('org'));
      const other = memberOf(fresh('other'));
      const names: NewApp[] = [];
      for (const daysAgo of [3, 2, 1]) {
        const app = await settled(member);
        await remove(member, app);
        await releasedDaysAgo(app.subdomain, daysAgo);
        names.push(app);
      }
      const isTaken = names.map(({ subdomain }) => registry.isTaken(other.organization, subdomain));
      expect(await Promise.all(isTaken)).toEqual([false, true, true]);
      const [first, second] = names as [NewApp, NewApp];
      await expect(registry.register(other, second)).rejects.toBeInstanceOf(SubdomainTaken);
      await registry.register(other, first);
    });

    it('gives a released name back to its organization, and restarts the quarantine on release', async () => {
      const { registry, releasedDaysAgo } = open({ quarantine: QUARANTINE });
      const member = memberOf(fresh('org'));
      const other = memberOf(fresh('other'));
      const app = await settled(member);
      await remove(member, app);
      await releasedDaysAgo(app.subdomain, 31);
      expect(await registry.isTaken(member.organization, app.subdomain)).toBe(false);
      const again = await settled(member, app);
      await remove(member, again);
      await expect(registry.register(other, app)).rejects.toBeInstanceOf(SubdomainTaken);
    });

    it('keeps the deadline for clearing data of a former owner when the next owner registers the name again', async () => {
      const [member, next] = [memberOf(fresh('org')), memberOf(fresh('next'))];
      const deadlineAfterRemoval = async (owner: Member, name: NewApp) => {
        await remove(owner, await settled(owner, name));
        const { formerOwner } = await open().formerOwners.historyOf(name.subdomain, 1);
        expect(formerOwner?.organization).toBe(owner.organization);
        return formerOwner?.clearsDataUntil;
      };
      const name = newApp();
      expect(await deadlineAfterRemoval(member, name)).toBeUndefined();
      const deadline = await deadlineAfterRemoval(next, name);
      const { readAt } = await open().formerOwners.historyOf(name.subdomain, 1);
      const remainingDays = ((deadline?.getTime() ?? 0) - readAt.getTime()) / DAY_MS;
      expect(remainingDays).toBeGreaterThan(FORMER_OWNER_DAYS - 1);
      expect(remainingDays).toBeLessThanOrEqual(FORMER_OWNER_DAYS);
      expect(await deadlineAfterRemoval(next, name)).toEqual(deadline);
    });

    it('lets no other organization register a name between its deletion and the quarantine', async () => {
      const { registry } = open({ quarantine: QUARANTINE });
      const member = memberOf(fresh('org'));
      const app = await settled(member);
      const tries = Array.from({ length: 10 }, (_, i) => registry.register(memberOf(`${app.subdomain}-org-${i}`), app));
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
      const { registry: strict } = open({ quarantine: { ...QUARANTINE, days: 500 } });
      await strict.purgeFormerOwners();
      expect(await strict.isTaken(other.organization, closed.subdomain)).toBe(true);
      await open({ quarantine: QUARANTINE }).registry.purgeFormerOwners();
      expect(await strict.isTaken(other.organization, old.subdomain)).toBe(false);
    });

    it('opens a name to every organization when its record is removed and the quarantine is off', async () => {
      const member = memberOf(fresh('org'));
      const app = await settled(member);
      const other = memberOf(fresh('other'));
      expect(await open().registry.isTaken(other.organization, app.subdomain)).toBe(true);
      await remove(member, app);
      expect(await open().registry.isTaken(other.organization, app.subdomain)).toBe(false);
      await register(other, app);
    });

    it('keeps a name for its former organization while its record may exist', async () => {
      const member = memberOf(fresh('org'));
      const app = await settled(member);
      await remove(member, app, 'timeout');
      const other = memberOf(fresh('other'));
      await expect(register(other, app)).rejects.toBeInstanceOf(SubdomainTaken);
      expect(await open().registry.isTaken(other.organization, app.subdomain)).toBe(true);
      expect(await open().registry.isTaken(member.organization, app.subdomain)).toBe(false);
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
      const leases = await Promise.all(Array.from({ length: 5 }, () => open().registry.acquireDnsLease(app)));
      expect(leases.filter((lease) => lease !== undefined)).toHaveLength(1);
      expect(await open().registry.acquireDnsLeaseForRetry(memberOf(app.organization), app)).toBeUndefined();
    });
  });
}
