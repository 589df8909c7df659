import { beforeEach, describe, expect, it } from '@jest/globals';
import { InMemoryApps } from '../../shared/adapters/memory/in-memory-apps';
import { InMemoryAppsUnitOfWork } from '../../shared/adapters/memory/in-memory-apps-unit-of-work';
import { HostnamePolicy } from '../../shared/domain/hostname-policy';
import { AppFixture, memberOf } from '../../testing/app-fixture';
import { domainClaim } from '../../testing/domain-claims.contract';
import { InMemoryDomainResolver } from '../adapters/memory/in-memory-domain-resolver';
import { parseDomainName } from '../domain/domain-name';
import { DomainRules } from '../domain/domain-rules';
import { DomainInspector } from './domain-inspector';
import { DomainPresenter } from './domain-presenter';
import { DomainRegistration, type DomainRegistrationDependencies } from './domain-registration';
import { EditDomain } from './edit-domain';

const MEMBER = memberOf('northwind');
const NAME = 'www.acme.test';
const VERIFIED = new Date('2026-11-24T00:00:00Z');

let store: InMemoryApps;
let unitOfWork: InMemoryAppsUnitOfWork;
let dns: InMemoryDomainResolver;
let dependencies: DomainRegistrationDependencies;
let registration: DomainRegistration;
let edit: EditDomain;

beforeEach(() => {
  store = new InMemoryApps();
  unitOfWork = new InMemoryAppsUnitOfWork(store);
  dns = new InMemoryDomainResolver();
  const inspector = new DomainInspector(dns, { cdnHostname: 'edge.test', challengeZone: undefined });
  const presenter = new DomainPresenter(false);
  const prices = { priceOf: async () => ({ usd: 10, cardVersion: '3' }) };
  const rules = new DomainRules(['apps.test']);
  const hostnames = new HostnamePolicy({ domain: 'apps.test', cdnHostname: 'edge.test', edgePort: 80, reserved: [] });
  const scheduleCheck = async () => undefined;
  dependencies = { unitOfWork, inspector, presenter, prices, rules, offersBaseDomains: true, scheduleCheck };
  registration = new DomainRegistration(dependencies);
  edit = new EditDomain({ unitOfWork, presenter, hostnames, needsCertificate: false });
});

const base = (name: string, acceptPriceUsd = 10) =>
  registration.execute(MEMBER, { kind: 'base', name, appId: undefined, acceptPriceUsd });
const host = (name: string, appId: string) =>
  registration.execute(MEMBER, { kind: 'hostname', name, appId, acceptPriceUsd: 10 });
const claim = (changes: Parameters<typeof domainClaim>[0]) =>
  unitOfWork.run(async ({ domainClaims }) => {
    const added = domainClaim(changes);
    await domainClaims.add(added, []);
    return added;
  });

describe('adding a domain', () => {
  it('rejects base domains where hosts below them cannot be served', async () => {
    registration = new DomainRegistration({ ...dependencies, offersBaseDomains: false });
    await expect(base(NAME)).rejects.toMatchObject({ code: 'apps.domain-invalid', fields: [{ field: 'kind' }] });
  });

  it('records the accepted price with its card, and rejects another price', async () => {
    await expect(base(NAME, 9)).rejects.toMatchObject({ code: 'apps.price-changed' });
    const { id } = await base(NAME);
    expect(store.domainClaims.get(id)).toMatchObject({ priceUsd: 10, cardVersion: '3' });
    expect(store.domainPeriods.size).toBe(0);
  });

  it('is limited to 100 domains without a proof', async () => {
    for (let n = 0; n < 100; n += 1) await claim({ organization: MEMBER.organization });
    await expect(base(NAME)).rejects.toMatchObject({ code: 'apps.domain-quota-exceeded' });
    await claim({ organization: 'globex' });
    const [first] = store.domainClaims.keys();
    await unitOfWork.run(({ domainClaims }) => domainClaims.change(first ?? '', { verifiedAt: VERIFIED }));
    await expect(base(NAME)).resolves.toMatchObject({ status: 'pending' });
  });

  it('names the record to remove while another organization proves the name, or one above or below', async () => {
    const rival = await claim({ organization: 'globex', name: parseDomainName('acme.test'), verifiedAt: VERIFIED });
    dns.set('_homeport.acme.test', 'TXT', [`homeport-domain=${rival.token}`]);
    const detail = expect.stringContaining('"_homeport.acme.test"');
    for (const name of ['a.b.acme.test', NAME]) {
      await expect(base(name)).rejects.toMatchObject({ code: 'apps.domain-covered', message: detail });
    }
    await expect(base('acme.test')).rejects.toMatchObject({ code: 'apps.domain-taken', message: detail });
    const below = await claim({ organization: 'globex', name: parseDomainName('x.other.test'), verifiedAt: VERIFIED });
    dns.set('_homeport.x.other.test', 'TXT', [`homeport-domain=${below.token}`]);
    await expect(base('other.test')).rejects.toMatchObject({ code: 'apps.domain-covered' });
    for (const server of dns.servers) dns.silent.add(server);
    await expect(base('acme.test')).rejects.toMatchObject({ code: 'apps.domain-taken' });
  });

  it('gives the name of a deleted app to another app, without its redirect', async () => {
    const { app } = await AppFixture.inMemory(store).register(MEMBER);
    const left = await claim({
      name: parseDomainName(NAME),
      verifiedAt: VERIFIED,
      isPrimary: true,
      redirectTo: 'deleted.apps.test',
    });
    const domain = await host(NAME, app.id);
    expect(domain).toMatchObject({ id: left.id, app_id: app.id, ownership: 'verified', is_primary: false });
    expect(store.domainClaims.get(left.id)?.redirectTo).toBeUndefined();
    const changes = [...store.auditEvents.values()].filter(({ action }) => action === 'apps.domain-changed');
    expect(changes).toMatchObject([{ target: left.id }]);
  });
});

it('removing a name ends the redirects that lead to it', async () => {
  const { app } = await AppFixture.inMemory(store).register(MEMBER);
  const [target, other] = [await host(NAME, app.id), await host('acme.test', app.id)];
  await edit.change(MEMBER, other.id, { redirectTo: NAME });
  await edit.remove(MEMBER, target.id);
  expect(store.domainClaims.get(other.id)?.redirectTo).toBeUndefined();
});

it('a redirect leads to a name of the app, in any spelling, and to nothing else', async () => {
  const { app } = await AppFixture.inMemory(store).register(MEMBER);
  const [target, other] = [await host('bücher.acme.test', app.id), await host('acme.test', app.id)];
  for (const redirectTo of ['', ' ', 'acme.test', 'foreign.test', `${target.name}.`]) {
    await expect(edit.change(MEMBER, other.id, { redirectTo })).rejects.toMatchObject({
      code: 'platform.invalid-request',
      fields: [{ field: 'redirect_to' }],
    });
  }
  for (const redirectTo of ['BÜCHER.Acme.test', target.name, `${app.subdomain}.APPS.test`]) {
    const { redirect_to } = await edit.change(MEMBER, other.id, { redirectTo });
    expect([target.name, `${app.subdomain}.apps.test`]).toContain(redirect_to);
  }
});

it('answers with the stored form of the app id', async () => {
  const { app } = await AppFixture.inMemory(store).register(MEMBER);
  expect(await host(NAME, app.id.toUpperCase())).toMatchObject({ app_id: app.id });
});
