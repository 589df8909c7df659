import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { DomainKind } from '@homeport/apps/contracts';
import type { Database } from '@homeport/platform/server/database';
import type { BlobDescriptor } from '../../../blobs/application/blob-ledger.port';
import { PostgresBlobLedger } from '../../../blobs/adapters/postgres/postgres-blob-ledger';
import { PostgresDeployRepository } from '../../../deploys/adapters/postgres/postgres-deploy-repository';
import { changeClaim } from '../../../domains/application/change-claim';
import type { DomainClaimChanges } from '../../../domains/domain/domain-claim';
import { AppFixture, memberOf } from '../../../testing/app-fixture';
import { type AppsDatabase, openAppsDatabase } from '../../../testing/open-apps-database';
import { deployedFile, DeployFixture, deployTo, digestOf } from '../../../testing/deploy-fixtures';
import { domainClaim } from '../../../testing/domain-claims.contract';
import { countBillableDomains, countEnvironmentVariables, sumDeployBytes } from './billable-levels';
import { PostgresAppsUnitOfWork } from './postgres-apps-unit-of-work';

const NORTHWIND = memberOf('northwind');
const GLOBEX = memberOf('globex');

let opened: AppsDatabase;
let database: Database;
let unitOfWork: PostgresAppsUnitOfWork;
let registry: AppFixture;
let deploys: PostgresDeployRepository;
let releases: DeployFixture;
let ledger: PostgresBlobLedger;
const query = <Row>(text: string, values: unknown[] = []) =>
  database.run((manager) => manager.query<Row[]>(text, values));

beforeAll(async () => {
  opened = await openAppsDatabase();
  const { jobs } = opened;
  ({ database } = opened);
  unitOfWork = new PostgresAppsUnitOfWork(database, jobs);
  registry = AppFixture.inPostgres(database, jobs);
  [deploys, ledger] = [new PostgresDeployRepository(database, jobs), new PostgresBlobLedger(database)];
  releases = new DeployFixture(unitOfWork);
});

afterAll(() => opened.close());

describe('sumDeployBytes', () => {
  beforeEach(() => query('truncate apps.deploys, apps.blobs cascade'));

  const blob = (text: string, size: number): BlobDescriptor => ({ digest: digestOf(text), size });
  const [page, script, image] = [blob('page', 1_000), blob('script', 20_000), blob('image', 300_000)];
  const register = async (member: typeof NORTHWIND) => (await registry.register(member)).app.id;
  /** Stores the files of a deploy that are missing, each with compressed copies. @returns the id of the deploy. */
  const deploy = async (member: typeof NORTHWIND, appId: string, ...files: readonly BlobDescriptor[]) => {
    const { stored, missing } = await ledger.reserve(member.organization, files);
    await ledger.markStored(missing.map(({ id }) => ({ id, brSize: 7, gzipSize: 9 })));
    const linked = [...stored, ...missing].map(({ id, digest }) => deployedFile(`${digest}.js`, id));
    return (await deployTo({ deploys, releases }, member, appId, { files: linked })).id;
  };
  const collectGarbage = async () => {
    await query(`update apps.blobs set used_at = used_at - interval '25 hours'`);
    await ledger.deleteEntries(await ledger.claimUnused(100));
  };

  it('counts a file of several deploys and apps once, and that of another organization again', async () => {
    const app = await register(NORTHWIND);
    await deploy(NORTHWIND, app, page, script);
    await deploy(NORTHWIND, app, page, image);
    await deploy(NORTHWIND, await register(NORTHWIND), page);
    await deploy(GLOBEX, await register(GLOBEX), page);
    expect([...(await sumDeployBytes(query))].sort()).toEqual([
      ['globex', 1_000n],
      ['northwind', 321_000n],
    ]);
  });

  it('counts the files of a deleted deploy until they are removed from the storage', async () => {
    const app = await register(NORTHWIND);
    const former = await deploy(NORTHWIND, app, page, image);
    await deploy(NORTHWIND, app, page, script);
    await releases.delete(NORTHWIND, former);
    await deploys.removeDeleted();
    const bytes = async () => (await sumDeployBytes(query)).get('northwind');
    expect(await bytes()).toBe(321_000n);
    await collectGarbage();
    expect(await bytes()).toBe(21_000n);
  });

  it('counts no file before it is stored, nor while it is being removed', async () => {
    const { missing } = await ledger.reserve('northwind', [page, script]);
    expect(await sumDeployBytes(query)).toEqual(new Map());
    await ledger.markStored(missing.map(({ id }) => ({ id, brSize: undefined, gzipSize: undefined })));
    expect(await sumDeployBytes(query)).toEqual(new Map([['northwind', 21_000n]]));
    await query(`update apps.blobs set used_at = used_at - interval '25 hours'`);
    expect(await ledger.claimUnused(100)).toHaveLength(2);
    expect(await sumDeployBytes(query)).toEqual(new Map());
  });
});

describe('countEnvironmentVariables', () => {
  beforeEach(() => query('delete from apps.apps'));

  const set = (appId: string, name: string, scope: 'all' | 'preview' = 'all') =>
    unitOfWork.run(({ environment }) =>
      environment.set({ appId, name, scope, sealed: new Uint8Array([1]), bytes: 5, updatedBy: 'ada' }),
    );

  it('counts each variable of each app of an organization, for every scope', async () => {
    const [first, second] = [(await registry.register(NORTHWIND)).app, (await registry.register(NORTHWIND)).app];
    const other = (await registry.register(GLOBEX)).app;
    await registry.register(memberOf('initech'));
    await set(first.id, 'TOKEN');
    await set(first.id, 'API_URL', 'preview');
    await set(second.id, 'TOKEN');
    await set(other.id, 'TOKEN');
    await set(first.id, 'TOKEN', 'preview');
    const counts = async () => [...(await countEnvironmentVariables(query))].sort();
    expect(await counts()).toEqual([
      ['globex', 1n],
      ['northwind', 3n],
    ]);
    await unitOfWork.run(({ environment }) => environment.remove(first.id, 'API_URL'));
    await registry.remove(GLOBEX, other);
    expect(await counts()).toEqual([['northwind', 2n]]);
  });
});

describe('countBillableDomains', () => {
  beforeEach(() => query('truncate apps.domain_claims, apps.domain_periods cascade'));

  const now = new Date('2026-11-20T10:30:00Z');
  const ACTIVE: DomainClaimChanges = { verifiedAt: now, routing: 'here' };
  /** Adds a domain and changes it as checks and its owner do. */
  const domain = async (organization: string, kind: DomainKind, ...history: readonly DomainClaimChanges[]) => {
    let claim = domainClaim({ organization, kind });
    await unitOfWork.run(({ domainClaims }) => domainClaims.add(claim, []));
    for (const changes of history) {
      claim = await unitOfWork.run(
        async (repositories) =>
          (await changeClaim(repositories, claim, { changes, needsCertificate: false, now })).facts,
      );
    }
  };
  const counts = async (kind: DomainKind) => [...(await countBillableDomains(query, kind))].sort();

  it('counts the domains of each kind from the time they are active first, until they are suspended or released', async () => {
    await domain('northwind', 'hostname');
    await domain('northwind', 'hostname', { verifiedAt: now, routing: 'elsewhere' });
    await domain('northwind', 'hostname', ACTIVE);
    await domain('northwind', 'hostname', ACTIVE, { suspendedAt: now });
    await domain('northwind', 'hostname', ACTIVE, { releasedAt: now });
    await domain('northwind', 'base', ACTIVE);
    await domain('globex', 'base', ACTIVE);
    await domain('globex', 'base', ACTIVE);
    expect(await counts('hostname')).toEqual([['northwind', 1n]]);
    expect(await counts('base')).toEqual([
      ['globex', 2n],
      ['northwind', 1n],
    ]);
  });

  it('counts a domain once that leads elsewhere for a time, or is active again after a suspension', async () => {
    await domain('northwind', 'hostname', ACTIVE, { routing: 'elsewhere' });
    await domain('northwind', 'hostname', ACTIVE, { routing: 'elsewhere' }, { routing: 'here' });
    await domain('northwind', 'hostname', ACTIVE, { suspendedAt: now }, { suspendedAt: undefined });
    expect(await counts('hostname')).toEqual([['northwind', 3n]]);
  });
});
