import { describe, expect, it } from '@jest/globals';
import { previewLabel } from '@homeport/hosting/contracts';
import type { DeployRecord } from '../../deploys/domain/deploy-record';
import { NEW_DNS_STATE } from '../../dns/domain/dns-record';
import type { AppDomainRecord, AppRecord } from '../../registry/domain/app-record';
import { HostnamePolicy } from '../domain/hostname-policy';
import { AppPresenter } from './app-presenter';

const presenter = new AppPresenter(
  new HostnamePolicy({ domain: 'apps.test', cdnHostname: 'edge.test', edgePort: 1, reserved: [] }),
);
const BASE = { kind: 'base', name: 'acme.test', isPrimary: true } as const;
const HOSTNAME = { kind: 'hostname', name: 'www.acme.test', isPrimary: true } as const;

const app = (domains: readonly AppDomainRecord[]): AppRecord => ({
  id: 'one',
  organization: 'acme',
  name: 'Shop',
  subdomain: 'shop' as AppRecord['subdomain'],
  type: 'static',
  deployCount: 0,
  activeDeployId: null,
  createdAt: new Date(0),
  dns: NEW_DNS_STATE,
  activeDeploy: undefined,
  domains,
});

describe('AppPresenter', () => {
  it.each<[string, readonly AppDomainRecord[], string]>([
    ['the platform domain', [{ ...BASE, isPrimary: false }], 'https://shop.apps.test'],
    ['the primary base domain', [BASE, { ...HOSTNAME, isPrimary: false }], 'https://shop.acme.test'],
    ['the primary host name before the primary base domain', [BASE, HOSTNAME], 'https://www.acme.test'],
  ])('names the address below %s', (_case, domains, url) => {
    const { url: shown, addresses } = presenter.presentApp(app(domains));
    expect(shown).toBe(url);
    expect(addresses.filter(({ is_primary }) => is_primary).map((address) => address.url)).toEqual([url]);
    expect(addresses).toHaveLength(domains.length + 1);
  });

  it('shows previews below the primary base domain', () => {
    const deploy = { id: '0190d6c0-0000-7000-8000-000000000000', alias: 'pv--main--shop', createdAt: new Date(0) };
    const present = (baseDomain: string | undefined) =>
      presenter.presentDeploy({ ...deploy, baseDomain } as DeployRecord);
    expect(present(undefined)).toMatchObject({ url: `https://${previewLabel(deploy.id)}.apps.test` });
    expect(present('acme.test')).toMatchObject({
      url: `https://${previewLabel(deploy.id)}.acme.test`,
      alias_url: 'https://pv--main--shop.acme.test',
    });
  });
});
