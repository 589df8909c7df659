import { beforeEach, describe, expect, it } from '@jest/globals';
import { InMemoryAppRepository } from '../adapters/memory/in-memory-app-repository';
import { InMemoryDnsZone } from '../adapters/memory/in-memory-dns-zone';
import { AppMissing, SubdomainInvalid, SubdomainReserved, SubdomainTaken } from '../domain/apps.errors';
import { PlatformDomain } from '../domain/platform-domain';
import { AppRegistry } from './app-registry';
import { DnsFailure } from './dns-zone.port';

const ada = { issuer: 'https://issuer.example', subject: 'ada', organization: 'northwind' };
const hank = { issuer: 'https://issuer.example', subject: 'hank', organization: 'globex' };
const HOST = 'my-shop.apps.example.com';

/** A zone whose next calls can be made to fail. */
class FailingDnsZone extends InMemoryDnsZone {
  failure: Error | undefined;

  override async point(hostname: string, target: string): Promise<void> {
    if (this.failure) throw this.failure;
    await super.point(hostname, target);
  }

  override async remove(hostname: string, target: string): Promise<void> {
    if (this.failure) throw this.failure;
    await super.remove(hostname, target);
  }
}

describe('AppRegistry', () => {
  let dns: FailingDnsZone;
  let registry: AppRegistry;

  beforeEach(() => {
    dns = new FailingDnsZone();
    const platform = new PlatformDomain({
      domain: 'apps.example.com',
      cdnHostname: 'edge.apps.example.com',
      edgePort: 8080,
      reserved: ['status'],
    });
    registry = new AppRegistry(new InMemoryAppRepository(), dns, platform);
  });

  it('registers an app and points its name at the distribution', async () => {
    const app = await registry.register(ada, ' My Shop ', 'static');
    expect(app).toMatchObject({
      name: 'My Shop',
      subdomain: 'my-shop',
      hostname: HOST,
      url: `https://${HOST}`,
      type: 'static',
      deploy_count: 0,
      dns_status: 'dns-active',
      active_deploy_id: null,
    });
    expect(app).not.toHaveProperty('dns_error');
    expect(new Date(app.created_at).toISOString()).toBe(app.created_at);
    expect(dns.targetOf(HOST)).toBe('edge.apps.example.com');
  });

  it('keeps the app when its DNS record fails, and heals it on retry', async () => {
    dns.failure = new DnsFailure('throttled');
    const app = await registry.register(ada, 'My Shop', 'ssr');
    expect(app).toMatchObject({
      dns_status: 'dns-failed',
      dns_error: { code: 'throttled', retryable: true, attempts: 1 },
    });
    expect(await registry.retryDns(ada, app.id)).toMatchObject({ dns_error: { attempts: 2 } });
    dns.failure = undefined;
    const healed = await registry.retryDns(ada, app.id);
    expect(healed).toMatchObject({ dns_status: 'dns-active' });
    expect(healed).not.toHaveProperty('dns_error');
    expect(dns.targetOf(HOST)).toBe('edge.apps.example.com');
  });

  it('takes an error of an unknown kind for an unavailable provider', async () => {
    dns.failure = new TypeError('broken');
    expect(await registry.register(ada, 'My Shop', 'static')).toMatchObject({
      dns_status: 'dns-failed',
      dns_error: { code: 'provider-unavailable' },
    });
  });

  it('refuses names that become no address', async () => {
    await expect(registry.register(ada, 'ab', 'static')).rejects.toBeInstanceOf(SubdomainInvalid);
    await expect(registry.register(ada, 'Dashboard', 'static')).rejects.toBeInstanceOf(SubdomainReserved);
    await expect(registry.register(ada, 'status', 'static')).rejects.toBeInstanceOf(SubdomainReserved);
    await expect(registry.register(ada, 'edge', 'static')).rejects.toBeInstanceOf(SubdomainReserved);
    expect((await registry.list(ada)).items).toEqual([]);
  });

  it('gives an address to one organization only', async () => {
    await registry.register(ada, 'My Shop', 'static');
    await expect(registry.register(hank, 'my shop', 'static')).rejects.toBeInstanceOf(SubdomainTaken);
    await expect(registry.register(ada, 'MY-SHOP', 'static')).rejects.toBeInstanceOf(SubdomainTaken);
  });

  it('shows and changes an organization’s own apps only', async () => {
    const app = await registry.register(ada, 'My Shop', 'static');
    expect((await registry.list(hank)).items).toEqual([]);
    await expect(registry.get(hank, app.id)).rejects.toBeInstanceOf(AppMissing);
    await expect(registry.retryDns(hank, app.id)).rejects.toBeInstanceOf(AppMissing);
    await expect(registry.delete(hank, app.id)).rejects.toBeInstanceOf(AppMissing);
    expect(await registry.get(ada, app.id)).toEqual(app);
  });

  it('deletes the DNS record and then the app', async () => {
    const app = await registry.register(ada, 'My Shop', 'static');
    expect(await registry.delete(ada, app.id)).toEqual({
      id: app.id,
      deleted: true,
      dns: 'deleted',
      archived_deploys: 0,
    });
    expect(dns.targetOf(HOST)).toBeUndefined();
    await expect(registry.delete(ada, app.id)).rejects.toBeInstanceOf(AppMissing);
  });

  it('deletes the app also when its DNS record stays, and keeps the name for its organization', async () => {
    const app = await registry.register(ada, 'My Shop', 'static');
    dns.failure = new DnsFailure('timeout');
    expect(await registry.delete(ada, app.id)).toMatchObject({ dns: 'dangling' });
    dns.failure = undefined;
    await expect(registry.register(hank, 'My Shop', 'static')).rejects.toBeInstanceOf(SubdomainTaken);
    expect(await registry.register(ada, 'My Shop', 'static')).toMatchObject({ dns_status: 'dns-active' });
  });
});

describe('PlatformDomain', () => {
  it('addresses local apps by http and the port of the edge', () => {
    const local = { domain: 'apps.localhost', cdnHostname: 'edge.localhost', edgePort: 8081, reserved: [] };
    const platform = new PlatformDomain(local);
    expect(platform.hostnameOf('shop')).toBe('shop.apps.localhost');
    expect(platform.reserved).toEqual([]);
  });
});
