import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { zoneConfigurationOf } from '../dev-services/knot/configuration.ts';
import { CADDY } from '../dev-services/proxies/programs.ts';
import { findPrograms } from '../dev-services/system-programs.ts';
import { configurationOf, PROGRAMS } from '../helm/program-configuration.ts';
import { composeOf, type Environment, examplesOf, ROOT, type Service, textOf } from './compose-files.ts';

const values = examplesOf('.env.example', '.env.public.example');
const { services } = composeOf(values, 'docker-compose.yml', 'docker-compose.public.yml');
const serviceOf = (name: string): Service => services[name] ?? {};
const environmentOf = (name: string): Environment => serviceOf(name).environment ?? {};
const [api, keycloak] = [environmentOf('api'), environmentOf('keycloak')];
const caddy = (await findPrograms(CADDY))?.get('caddy');

describe('the programs in docker-compose.public.yml', () => {
  it.each(PROGRAMS)('%s has a valid configuration and no unknown variables', async (name) => {
    const { known, load } = await configurationOf(name);
    expect(Object.keys(environmentOf(name)).filter((each) => !known.includes(each))).toEqual([]);
    expect(() => load({ NODE_ENV: 'production', ...environmentOf(name) })).not.toThrow();
  });

  it('changes the zone that Knot serves', () => {
    const knot = environmentOf('knot');
    expect(api).toMatchObject({ DNS_PROVIDER: 'rfc2136', RFC2136_SERVER: 'knot:5353', RFC2136_KEY_NAME: 'homeport' });
    expect([knot['APPS_DOMAIN'], knot['RFC2136_KEY_SECRET']]).toEqual([
      api['PLATFORM_DOMAIN'],
      api['RFC2136_KEY_SECRET'],
    ]);
    expect(environmentOf('edge')['PLATFORM_DOMAIN']).toBe(api['PLATFORM_DOMAIN']);
    expect(textOf('deploy/knot/start.sh')).toContain(`* CNAME ${'edge.$PUBLIC_DOMAIN.'}\n`);
    expect(api['CDN_HOSTNAME']).toBe(`edge.${knot['PUBLIC_DOMAIN']}`);
  });

  it('starts no embedded DNS server, and waits for Knot in its place', () => {
    expect(serviceOf('dns').profiles).toEqual(['trial']);
    const dependencies = serviceOf('api').depends_on ?? {};
    expect([dependencies['dns']?.required, dependencies['knot']?.condition]).toEqual([false, 'service_healthy']);
    const others = Object.entries(services).filter(
      ([name, { depends_on = {} }]) => name !== 'api' && 'dns' in depends_on,
    );
    expect(others).toEqual([]);
  });

  it('gives Keycloak and the API the same public names', () => {
    expect(api['AUTH_ISSUER']).toBe(`${keycloak['KC_HOSTNAME']}/realms/homeport`);
    expect([api['PUBLIC_URL'], keycloak['PUBLIC_URL']]).toEqual(Array(2).fill('https://homeport.example.com'));
  });

  it('leads the name of the identity service to Caddy, and trusts its address alone', () => {
    const { ipv4_address: address, aliases } = serviceOf('caddy').networks?.default ?? {};
    expect(aliases).toEqual([new URL(api['AUTH_ISSUER'] ?? '').hostname]);
    for (const trusted of [api, environmentOf('edge')]) expect(trusted['TRUSTED_PROXIES']).toBe(address);
    expect(keycloak['KC_PROXY_TRUSTED_ADDRESSES']).toBe(address);
  });

  it('publishes the ports of Caddy and Knot at the public address, and others on loopback', () => {
    const ports = Object.values(services).flatMap((service) => service.ports ?? []);
    const ofPublic = ['80:80', '443:443', '443:443/udp', '53:5353', '53:5353/udp'].map((port) => `192.0.2.80:${port}`);
    const onLoopback = ['127.0.0.1:3000:3000', '127.0.0.1:8081:8081', '127.0.0.1:8080:8080'];
    expect(ports.toSorted()).toEqual([...ofPublic, ...onLoopback].toSorted());
  });

  it('mounts files that exist', () => {
    const files = Object.values(services).flatMap(({ volumes = [] }) =>
      volumes.filter((each) => each.startsWith('./')),
    );
    expect(files.length).toBeGreaterThan(3);
    for (const file of files) expect([file, existsSync(join(ROOT, file.split(':')[0] ?? ''))]).toEqual([file, true]);
  });
});

describe('deploy/knot/start.sh', () => {
  it('writes the zone and key of docs/operations.md', () => {
    const key = { name: 'homeport', algorithm: 'hmac-sha256', secret: '$RFC2136_KEY_SECRET' } as const;
    const zone = zoneConfigurationOf({ domain: '$APPS_DOMAIN', zoneFile: '/storage/$APPS_DOMAIN.zone', key });
    expect(textOf('deploy/knot/start.sh')).toContain(`\n${zone}CONFIGURATION\n`);
  });
});

(caddy ? describe : describe.skip)('deploy/caddy/Caddyfile', () => {
  const environment = environmentOf('caddy');
  const adapted = () =>
    execFileSync(join(caddy ?? '', 'caddy'), ['adapt', '--config', join(ROOT, 'deploy/caddy/Caddyfile')], {
      env: environment,
      stdio: ['ignore', 'pipe', 'ignore'],
    }).toString();

  it('passes requests on to the services, and no path of the administration of Keycloak', () => {
    const { apps } = JSON.parse(adapted()) as CaddyConfiguration;
    const routes = apps.http.servers.srv0.routes.map(({ match, handle }) => ({
      host: match?.[0]?.host?.[0],
      handlers: JSON.stringify(handle).match(/"(?:dial|path)":(?:"[^"]*"|\[.*?\])|"status_code":\d+/g),
    }));
    const paths = '"path":["/realms/*","/resources/*","/.well-known/*"]';
    expect(routes).toEqual([
      { host: 'homeport.example.com', handlers: ['"dial":"network:3000"'] },
      { host: 'id.example.com', handlers: ['"dial":"network:8081"', paths, '"status_code":404'] },
      { handlers: ['"dial":"edge:8080"'] },
    ]);
  });

  it('asks the API before it orders the certificate of a site', () => {
    const { automation } = (JSON.parse(adapted()) as CaddyConfiguration).apps.tls;
    expect(automation.on_demand.ask).toBe(`http://network:${api['MANAGEMENT_PORT']}/internal/tls/ask`);
    expect(serviceOf('api').network_mode).toBe('service:network');
    const named = automation.policies.filter(({ on_demand: isOnDemand }) => isOnDemand !== true);
    expect(named.flatMap(({ subjects }) => subjects)).toEqual(['homeport.example.com', 'id.example.com']);
  });
});

interface CaddyConfiguration {
  readonly apps: {
    readonly http: { readonly servers: { readonly srv0: { readonly routes: readonly CaddyRoute[] } } };
    readonly tls: {
      readonly automation: {
        readonly on_demand: { readonly ask: string };
        readonly policies: readonly { readonly subjects?: readonly string[]; readonly on_demand?: boolean }[];
      };
    };
  };
}
interface CaddyRoute {
  readonly match?: readonly { readonly host?: readonly string[] }[];
  readonly handle: unknown;
}
