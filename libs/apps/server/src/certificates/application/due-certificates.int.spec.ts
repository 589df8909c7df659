import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Database } from '@homeport/platform/server/database';
import { SecretBox } from '@homeport/platform/server/secrets';
import type { DomainClaimFacts } from '../../domains/domain/domain-claim';
import { PostgresAppsUnitOfWork } from '../../shared/adapters/postgres/postgres-apps-unit-of-work';
import { type AppsDatabase, openAppsDatabase } from '../../testing/open-apps-database';
import { CloudFrontDouble } from '../../testing/cloudfront/cloudfront-double';
import { domainClaim } from '../../testing/domain-claims.contract';
import { CloudFrontCertificateIssuer } from '../adapters/cloudfront/cloudfront-certificate-issuer';
import { InMemoryCertificateIssuer } from '../adapters/memory/in-memory-certificate-issuer';
import { PostgresCertificateRepository } from '../adapters/postgres/postgres-certificate-repository';
import { PostgresChallengeAnswers } from '../adapters/postgres/postgres-challenge-answers';
import { IssuanceFailed } from '../domain/issuance-failed';
import { ChallengePublisher } from './challenge-publisher';
import { DueCertificates } from './due-certificates';
import type { OrderPrecheck } from './order-precheck';
import { OrderRunner } from './order-runner';

const DAY_MS = 86_400_000;
const box = new SecretBox([{ id: 'test', key: Buffer.alloc(32, 1) }]);

let opened: AppsDatabase;
let database: Database;
let unitOfWork: PostgresAppsUnitOfWork;
let now = new Date();
let issuer: InMemoryCertificateIssuer;
/** In place of the other issuer. */
let managedIssuer: CloudFrontCertificateIssuer | undefined;
let blockedBy: string | undefined;

beforeAll(async () => {
  opened = await openAppsDatabase();
  ({ database } = opened);
  unitOfWork = new PostgresAppsUnitOfWork(database, opened.jobs);
});
afterAll(() => opened.close());
beforeEach(async () => {
  await database.source.query('truncate apps.domain_claims cascade');
  await database.source.query('truncate apps.certificates, apps.certificate_orders cascade');
  now = new Date('2026-11-24T12:00:00Z');
  blockedBy = undefined;
  issuer = new InMemoryCertificateIssuer(() => now);
  managedIssuer = undefined;
});

/** One instance of the product. */
function instance(platformNames?: readonly string[]): DueCertificates {
  const repository = new PostgresCertificateRepository(database, box);
  const publisher = new ChallengePublisher({ answers: new PostgresChallengeAnswers(database), zone: undefined });
  const precheck: Pick<OrderPrecheck, 'check'> = {
    check: async ({ challenge }) => (blockedBy === undefined ? { challenge } : { blockedBy }),
  };
  const used = { issuer: managedIssuer ?? issuer, reportFailure: () => undefined };
  const shared = { repository, publisher, now: () => now, random: () => 0.5, ...used };
  return new DueCertificates({
    ...shared,
    runner: new OrderRunner({ ...shared, precheck, unitOfWork }),
    wanted: { includesBaseDomains: !managedIssuer, platformNames, isManaged: managedIssuer !== undefined },
    scheduleRun: async () => undefined,
  });
}

async function addClaim(changes: Partial<DomainClaimFacts> = {}): Promise<DomainClaimFacts> {
  const claim = domainClaim({ verifiedAt: now, routing: 'here', ...changes });
  await unitOfWork.run(({ domainClaims }) => domainClaims.add(claim, []));
  return claim;
}
const find = ({ organization, id }: DomainClaimFacts) =>
  unitOfWork.run(({ domainClaims }) => domainClaims.find(organization, id));
const certificates = () => database.source.query('select * from apps.certificates order by created_at');
/** What the audit trail says of a claim, oldest first. */
const recorded = ({ id }: DomainClaimFacts): Promise<readonly object[]> =>
  database.source.query(
    "select actor, action, detail - array['kind', 'name'] as more from platform.audit_events where target = $1 order by id",
    [id],
  );
const recordOf = (action: string, more = {}) => ({ actor: 'system', action: `apps.certificate-${action}`, more });
const passes = (ms: number) => void (now = new Date(now.getTime() + ms));

describe('DueCertificates', () => {
  it('orders a certificate for a verified name, and renews it at the time that the authority advises', async () => {
    const claim = await addClaim();
    await instance().run();
    expect(await find(claim)).toMatchObject({
      certificate: 'active',
      certificateExpiresAt: new Date(now.getTime() + 90 * DAY_MS),
    });
    const [row] = await certificates();
    expect(row).toMatchObject({ claim_id: claim.id, names: [claim.name] });
    expect(box.open(row.sealed_key, `certificate\n${row.id}`)).toContain('PRIVATE KEY');
    await instance().run();
    expect(issuer.placed).toBe(1);
    passes(61 * DAY_MS);
    await instance().run();
    const rows = await certificates();
    expect([issuer.placed, rows.length]).toEqual([2, 1]);
    expect(rows[0].id).not.toBe(row.id);
    issuer.advice = { window: { start: now, end: new Date(now.getTime() + 2_000) }, retryAfterMs: 60_000 };
    passes(1_000);
    await instance().run();
    expect(issuer.placed).toBe(3);
    issuer.advice = undefined;
    passes(DAY_MS);
    await instance().run();
    expect(issuer.placed).toBe(3);
    expect(await recorded(claim)).toEqual([recordOf('issued'), recordOf('renewed'), recordOf('renewed')]);
  });

  it('opens the period of the claim', async () => {
    const claim = await addClaim();
    await instance().run();
    const periods = await database.source.query('select claim_id, ended_at from apps.domain_periods');
    expect(periods).toContainEqual({ claim_id: claim.id, ended_at: null });
  });

  it('orders each certificate once on two instances', async () => {
    const claims = await Promise.all(Array.from({ length: 12 }, () => addClaim()));
    await Promise.all([instance().run(), instance().run()]);
    expect([issuer.placed, (await certificates()).length]).toEqual([claims.length, claims.length]);
    for (const claim of claims) expect(await recorded(claim)).toEqual([recordOf('issued')]);
  });

  it('continues the order of an instance that was killed, with its key', async () => {
    const claim = await addClaim();
    issuer.killAfterPlacing = true;
    void instance().run();
    await issuer.stopped;
    passes(60_000);
    await instance().run();
    expect((await find(claim))?.certificate).toBe('ordering');
    issuer.killAfterPlacing = false;
    passes(120_000);
    await instance().run();
    expect((await find(claim))?.certificate).toBe('active');
    expect(issuer.placed).toBe(1);
    const [row] = await certificates();
    expect(box.open(row.sealed_key, `certificate\n${row.id}`)).toBe(issuer.lastKey);
  });

  it('places no order while the records are wrong', async () => {
    const claim = await addClaim();
    blockedBy = 'the addresses lead elsewhere';
    await instance().run();
    expect([issuer.placed, (await find(claim))?.certificate]).toEqual([0, 'none']);
    blockedBy = undefined;
    passes(60_000);
    await instance().run();
    expect(issuer.placed).toBe(1);
  });

  it('shows a failure, and tries again later', async () => {
    const claim = await addClaim();
    issuer.failure = new IssuanceFailed('challenge-failed', 'wrong answer');
    await instance().run();
    expect((await find(claim))?.certificate).toBe('failed');
    for (let retry = 0; retry < 2; retry += 1) {
      passes(121_000);
      await instance().run();
    }
    issuer.failure = undefined;
    passes(241_000);
    await instance().run();
    expect((await find(claim))?.certificate).toBe('active');
    const failed = recordOf('failed', { problem: 'challenge-failed' });
    expect(await recorded(claim)).toEqual([failed, recordOf('issued')]);
  });

  it('renews nothing for suspended claims, and removes the certificates of released ones', async () => {
    const [suspended, released] = [await addClaim(), await addClaim()];
    await instance().run();
    passes(61 * DAY_MS);
    await unitOfWork.run(async ({ domainClaims }) => {
      await domainClaims.change(suspended.id, { suspendedAt: now });
      await domainClaims.change(released.id, { releasedAt: now });
    });
    await instance().run();
    expect(issuer.placed).toBe(2);
    expect((await certificates()).map(({ claim_id }: { claim_id: string }) => claim_id)).toEqual([suspended.id]);
  });

  it('orders nothing for names that are not verified or lead elsewhere', async () => {
    await addClaim({ verifiedAt: undefined });
    await addClaim({ routing: 'elsewhere' });
    await instance().run();
    expect(issuer.placed).toBe(0);
  });

  it('orders wildcard certificates for base domains and the platform domain', async () => {
    const base = await addClaim({ kind: 'base' });
    await instance(['*.apps.example']).run();
    const rows = (await certificates()) as { names: string[] }[];
    expect(rows.map(({ names }) => names).sort()).toEqual([['*.apps.example'], [`*.${base.name}`]]);
    await instance(['*.apps.example']).run();
    expect(issuer.placed).toBe(2);
  });
});

describe('DueCertificates with an issuer that keeps certificates', () => {
  let aws: CloudFrontDouble;

  beforeEach(async () => {
    aws = await new CloudFrontDouble().listen();
    managedIssuer = new CloudFrontCertificateIssuer({
      distributionId: 'E1',
      endpoint: aws.address,
      credentials: { accessKeyId: 'key', secretAccessKey: 'secret' },
    });
  });
  afterEach(() => aws.close());

  it('shows each state until the domain is served, and stores no certificate', async () => {
    const claim = await addClaim();
    await addClaim({ kind: 'base', appId: undefined });
    await instance().run();
    expect((await find(claim))?.certificate).toBe('ordering');
    aws.validate('issued');
    passes(61_000);
    await instance().run();
    aws.deploy();
    passes(16_000);
    await instance().run();
    expect(await find(claim)).toMatchObject({ certificate: 'active', certificateExpiresAt: undefined });
    expect(await recorded(claim)).toEqual([recordOf('issued')]);
    const periods = await database.source.query('select claim_id, ended_at from apps.domain_periods');
    expect(periods).toContainEqual({ claim_id: claim.id, ended_at: null });
    passes(100 * DAY_MS);
    const calls = aws.calls.length;
    await instance().run();
    expect([await certificates(), aws.tenants.size, aws.calls.length]).toEqual([[], 1, calls]);
  });

  it('removes what is kept for claims that were released, and nothing else', async () => {
    const [claim, released, suspended] = [await addClaim(), await addClaim(), await addClaim()];
    await instance().run();
    await unitOfWork.run(({ domainClaims }) => domainClaims.change(released.id, { releasedAt: now }));
    await unitOfWork.run(({ domainClaims }) => domainClaims.change(suspended.id, { suspendedAt: now }));
    aws.faults.push([503, 'ServiceUnavailable'], [503, 'ServiceUnavailable'], [503, 'ServiceUnavailable']);
    await instance().removeUnused();
    expect(aws.tenants.size).toBe(3);
    await Promise.all([instance().removeUnused(), instance().removeUnused()]);
    expect(aws.tenants.get(`homeport-${released.id}`)?.Enabled).toBe(false);
    aws.deploy();
    while (aws.tenants.size > 2) await instance().removeUnused();
    expect([...aws.tenants.keys()].toSorted()).toEqual([claim, suspended].map(({ id }) => `homeport-${id}`).toSorted());
  });
});
