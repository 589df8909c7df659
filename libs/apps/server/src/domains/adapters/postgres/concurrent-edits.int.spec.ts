import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { Database } from '@homeport/platform/server/database';
import { PostgresAppsUnitOfWork } from '../../../shared/adapters/postgres/postgres-apps-unit-of-work';
import { HostnamePolicy } from '../../../shared/domain/hostname-policy';
import { AppFixture, memberOf } from '../../../testing/app-fixture';
import { type AppsDatabase, openAppsDatabase } from '../../../testing/open-apps-database';
import { domainClaim } from '../../../testing/domain-claims.contract';
import { DomainPresenter } from '../../application/domain-presenter';
import { EditDomain } from '../../application/edit-domain';
import type { DomainClaimFacts } from '../../domain/domain-claim';

const MEMBER = memberOf('concurrent-edits');
const ROUNDS = 5;

let opened: AppsDatabase;
let database: Database;
let unitOfWork: PostgresAppsUnitOfWork;
let edit: EditDomain;
/** Names of one app below different registrable domains. */
let claims: readonly DomainClaimFacts[];

beforeAll(async () => {
  opened = await openAppsDatabase();
  const { jobs } = opened;
  ({ database } = opened);
  unitOfWork = new PostgresAppsUnitOfWork(database, jobs);
  const hostnames = new HostnamePolicy({ domain: 'apps.test', cdnHostname: 'edge.test', edgePort: 80, reserved: [] });
  edit = new EditDomain({ unitOfWork, presenter: new DomainPresenter(false), hostnames, needsCertificate: false });
  const { app } = await AppFixture.inPostgres(database, jobs).register(MEMBER);
  claims = [1, 2, 3].map(() => domainClaim({ organization: MEMBER.organization, appId: app.id }));
  for (const claim of claims) await unitOfWork.run(({ domainClaims }) => domainClaims.add(claim, []));
});

beforeEach(async () => {
  for (const { id } of claims) await edit.change(MEMBER, id, { isPrimary: false, redirectTo: null });
});

afterAll(() => opened.close());

const stored = () => unitOfWork.run(({ domainClaims }) => domainClaims.list(MEMBER.organization));

it('one of the names that are made primary at once is primary', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    await Promise.all(claims.map(({ id }) => edit.change(MEMBER, id, { isPrimary: true })));
    expect((await stored()).filter(({ isPrimary }) => isPrimary)).toHaveLength(1);
  }
});

it('names that are redirected at once never redirect in a circle', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const [first, second, third] = claims as [DomainClaimFacts, DomainClaimFacts, DomainClaimFacts];
    const results = await Promise.allSettled([
      edit.change(MEMBER, first.id, { redirectTo: second.name }),
      edit.change(MEMBER, second.id, { redirectTo: third.name }),
      edit.change(MEMBER, third.id, { redirectTo: first.name }),
    ]);
    expect(results.filter(({ status }) => status === 'rejected').length).toBeGreaterThan(0);
    for (const { id } of claims) await edit.change(MEMBER, id, { redirectTo: null });
  }
});
