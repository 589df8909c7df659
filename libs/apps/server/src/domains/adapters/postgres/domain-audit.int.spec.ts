import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Database } from '@homeport/platform/server/database';
import type { AppsUnitOfWork } from '../../../shared/application/apps-unit-of-work.port';
import { PostgresAppsUnitOfWork } from '../../../shared/adapters/postgres/postgres-apps-unit-of-work';
import { type AppsDatabase, openAppsDatabase } from '../../../testing/open-apps-database';
import { domainClaim } from '../../../testing/domain-claims.contract';
import { DomainChecker } from '../../application/domain-checker';
import { DomainInspector } from '../../application/domain-inspector';
import type { DomainClaimFacts } from '../../domain/domain-claim';
import { parseDomainName } from '../../domain/domain-name';
import { InMemoryDomainResolver } from '../memory/in-memory-domain-resolver';

const DAY_MS = 86_400_000;

describe('what Homeport does to domains by itself', () => {
  let opened: AppsDatabase;
  let database: Database;
  let unitOfWork: AppsUnitOfWork;
  let now = new Date('2026-11-24T12:00:00Z');
  const dns = new InMemoryDomainResolver();

  beforeAll(async () => {
    opened = await openAppsDatabase();
    ({ database } = opened);
    unitOfWork = new PostgresAppsUnitOfWork(database, opened.jobs);
  });
  afterAll(() => opened.close());

  async function addClaim(changes: Partial<DomainClaimFacts>): Promise<DomainClaimFacts> {
    const claim = domainClaim({ token: randomUUID(), createdAt: now, nextCheckAt: now, ...changes });
    await unitOfWork.run(({ domainClaims }) => domainClaims.add(claim, []));
    return claim;
  }

  /** Checks a claim on some instances at once. */
  async function check({ organization, id }: DomainClaimFacts, instances = 1, used = unitOfWork): Promise<void> {
    const inspector = new DomainInspector(dns, { cdnHostname: 'edge.test', challengeZone: undefined });
    const claim = await unitOfWork.run(({ domainClaims }) => domainClaims.find(organization, id));
    if (!claim) throw new Error('released');
    const checker = () => new DomainChecker({ unitOfWork: used, inspector, needsCertificate: false, now: () => now });
    await Promise.all(Array.from({ length: instances }, () => checker().check(claim)));
  }

  const publish = (...claims: readonly DomainClaimFacts[]) =>
    dns.set(
      `_homeport.${claims[0]?.name}`,
      'TXT',
      claims.map(({ token }) => `homeport-domain=${token}`),
    );
  const withdraw = ({ name }: DomainClaimFacts) => dns.set(`_homeport.${name}`, 'TXT', []);
  const passDays = (days: number) => void (now = new Date(now.getTime() + days * DAY_MS));
  const trailOf = (...claims: readonly DomainClaimFacts[]): Promise<readonly object[]> =>
    database.source.query(
      `select organization, actor, replace(action, 'apps.domain-', '') as action, target, detail
       from platform.audit_events where target = any ($1) order by id`,
      [claims.map(({ id }) => id)],
    );
  const recordOf = ({ organization, id, kind, name }: DomainClaimFacts, action: string, more = {}) => {
    return { organization, actor: 'system', action, target: id, detail: { kind, name, ...more } };
  };

  it('is recorded once, also when several instances check: proof, suspension, restoration, release', async () => {
    const claim = await addClaim({ name: parseDomainName('www.acme.test') });
    await check(claim, 4);
    expect(await trailOf(claim)).toEqual([]);
    publish(claim);
    await check(claim, 4);
    withdraw(claim);
    await check(claim, 4);
    expect(await trailOf(claim)).toEqual([recordOf(claim, 'verified')]);
    passDays(7);
    await check(claim, 4);
    publish(claim);
    await check(claim, 4);
    withdraw(claim);
    await check(claim);
    passDays(30);
    await check(claim, 4);
    expect(await trailOf(claim)).toEqual([
      recordOf(claim, 'verified'),
      recordOf(claim, 'suspended'),
      recordOf(claim, 'restored'),
      recordOf(claim, 'released', { reason: 'proof-missing' }),
    ]);
  });

  it('is recorded for a domain that was never proved', async () => {
    const claim = await addClaim({ name: parseDomainName('new.acme.test') });
    passDays(7);
    await check(claim);
    expect(await trailOf(claim)).toEqual([recordOf(claim, 'released', { reason: 'never-verified' })]);
  });

  it('is recorded for both organizations of a takeover, which do not learn of each other', async () => {
    const name = parseDomainName('moved.test');
    const former = await addClaim({ name, organization: 'former' });
    publish(former);
    await check(former);
    const next = await addClaim({ name, organization: 'next' });
    publish(next);
    await check(next, 4);
    expect(await trailOf(former, next)).toEqual([
      recordOf(former, 'verified'),
      recordOf(former, 'taken-over'),
      recordOf(next, 'verified'),
    ]);
  });

  it('does not happen when it cannot be recorded', async () => {
    const claim = await addClaim({ name: parseDomainName('unrecorded.test') });
    publish(claim);
    const failure = new Error('not recorded');
    const unrecorded: AppsUnitOfWork = {
      run: (work) =>
        unitOfWork.run((repositories) => {
          const audit = { list: async () => [], record: () => Promise.reject(failure) };
          return work({ ...repositories, audit });
        }),
    };
    await expect(check(claim, 1, unrecorded)).rejects.toBe(failure);
    const found = await unitOfWork.run(({ domainClaims }) => domainClaims.find(claim.organization, claim.id));
    expect(found).toMatchObject({ verifiedAt: undefined });
    await check(claim);
    expect(await trailOf(claim)).toEqual([recordOf(claim, 'verified')]);
  });
});
