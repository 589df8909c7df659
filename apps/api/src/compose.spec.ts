import { readFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { ENVIRONMENT_NAMES, loadConfig } from './config';

type Environment = Record<string, string>;
interface Service {
  readonly environment?: Environment;
  readonly network_mode?: string;
}

const textOf = (path: string) => readFileSync(resolve(import.meta.dirname, '../../..', path), 'utf8');
const { services } = parse(textOf('docker-compose.yml')) as { services: Record<string, Service> };
const environmentOf = (service: string): Environment => services[service]?.environment ?? {};

/** Keys in base64, with what precedes them. */
const BASE64_PREFIXES: Environment = { SESSION_KEYS: '', SECRETS_KEYS: '1:' };
const keyFor = (name: string) => {
  const prefix = BASE64_PREFIXES[name];
  return prefix === undefined ? randomBytes(32).toString('hex') : prefix + randomBytes(32).toString('base64');
};
/** The variables of `.env.example`, filled in as its comments describe. */
const SECRETS: Environment = Object.fromEntries(
  [...textOf('.env.example').matchAll(/^([A-Z0-9_]+)=(.*)$/gm)].map(([, name = '', value = '']) => [
    name,
    value || keyFor(name),
  ]),
);
const filledIn = (text: string) => text.replace(/\$\{(\w+):\?[^}]*\}/g, (_, name: string) => SECRETS[name] ?? '');
const filled = (environment: Environment): Environment =>
  Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, filledIn(value)]));

describe('the API in docker-compose.yml', () => {
  it('receives no unknown variables', () => {
    const unread = Object.keys(environmentOf('api')).filter((name) => !ENVIRONMENT_NAMES.includes(name));
    expect(unread).toEqual([]);
  });

  it('has a valid configuration when .env.example is filled in', () => {
    expect(loadConfig(filled(environmentOf('api')))).toMatchObject({
      AUTH_ISSUER: 'http://localhost:8081/realms/homeport',
      publicUrl: 'http://localhost:3000',
    });
  });

  it('has an invalid configuration while a secret is missing', () => {
    expect(() => loadConfig({ ...filled(environmentOf('api')), SESSION_KEYS: '' })).toThrow('SESSION_KEYS is missing');
  });

  it('shares its network with Keycloak and the embedded DNS server', () => {
    for (const service of ['api', 'keycloak', 'dns']) expect(services[service]?.network_mode).toBe('service:network');
    expect(environmentOf('keycloak')['KC_HOSTNAME']).toBe('http://localhost:8081');
    expect(environmentOf('keycloak')['KC_HTTP_PORT']).toBe('8081');
  });

  it('uses the port, token and domain of the embedded DNS server', () => {
    const [api, dns] = [environmentOf('api'), environmentOf('dns')];
    expect(api['EMBEDDED_DNS_URL']).toBe(`http://127.0.0.1:${dns['DNS_CONTROL_PORT']}`);
    expect(api['EMBEDDED_DNS_TOKEN']).toBe(dns['EMBEDDED_DNS_TOKEN']);
    expect(api['PLATFORM_DOMAIN']).toBe(dns['PLATFORM_DOMAIN']);
  });

  it.each(Object.keys(environmentOf('dns')))('sets a variable that the embedded DNS server reads: %s', (name) => {
    expect(textOf('tools/dev-services/dns/main.ts')).toContain(`env['${name}']`);
  });
});

interface Realm {
  readonly realm: string;
  readonly clients: readonly {
    readonly clientId: string;
    readonly redirectUris: readonly string[];
    readonly attributes: Environment;
    readonly protocolMappers?: readonly { readonly protocolMapper: string; readonly config: Environment }[];
  }[];
  readonly identityProviders?: readonly { readonly alias: string; readonly config: Environment }[];
  readonly identityProviderMappers?: readonly {
    readonly identityProviderAlias: string;
    readonly config: Environment;
  }[];
}

describe('the Keycloak realms', () => {
  const realmText = (name: string) => textOf(`deploy/keycloak/${name}-realm.json`);
  /** The realm with the public addresses that Keycloak fills in. */
  const realmOf = (name: string) =>
    JSON.parse(
      realmText(name).replace(
        /\$\{(KC_HOSTNAME|PUBLIC_URL)\}/g,
        (_, each: string) => environmentOf('keycloak')[each] ?? '',
      ),
    ) as Realm;
  const config = loadConfig(filled(environmentOf('api')));
  const home = realmOf('homeport');
  const [client] = home.clients;

  it('define the client of the API with its redirect URI and PKCE method', () => {
    expect(config.AUTH_ISSUER).toBe(`http://localhost:8081/realms/${home.realm}`);
    expect(client).toMatchObject({
      clientId: config.AUTH_CLIENT_ID,
      redirectUris: [`${config.publicUrl}/auth/callback`],
      attributes: { 'pkce.code.challenge.method': 'S256' },
    });
  });

  it('add the audience and organization of the API to access tokens', () => {
    const configs = client?.protocolMappers?.map((mapper) => mapper.config);
    expect(configs).toEqual([
      expect.objectContaining({ 'included.custom.audience': config.AUTH_AUDIENCE, 'access.token.claim': 'true' }),
      expect.objectContaining({ 'claim.name': config.AUTH_ORG_CLAIM, 'access.token.claim': 'true' }),
    ]);
  });

  it('offer the providers that the sign-in page shows', () => {
    const hints = config.AUTH_PROVIDERS.map(({ params }) => params['kc_idp_hint']);
    expect(home.identityProviders?.map(({ alias }) => alias)).toEqual(hints);
    expect(home.identityProviderMappers?.map((mapper) => mapper.identityProviderAlias)).toEqual(hints);
  });

  it.each(home.identityProviders ?? [])('redirect users to $alias and back', ({ alias, config: provider }) => {
    const upstream = realmOf(alias);
    expect(provider['issuer']).toBe(`http://localhost:8081/realms/${upstream.realm}`);
    expect(upstream.clients[0]).toMatchObject({
      clientId: provider['clientId'],
      redirectUris: [`${config.AUTH_ISSUER}/broker/${alias}/endpoint`],
      secret: provider['clientSecret'],
    });
  });

  it.each(['homeport', 'northwind', 'globex'])('read every address of %s from the environment', (name) => {
    expect(realmText(name)).not.toContain('://localhost');
  });

  it.each(['homeport', 'northwind', 'globex'])('read every secret of %s from the environment', (name) => {
    const secrets = [...realmText(name).matchAll(/"(?:secret|clientSecret|value)": "([^"]*)"/g)];
    expect(secrets).not.toEqual([]);
    for (const [, value = ''] of secrets) {
      expect(Object.keys(environmentOf('keycloak'))).toContain(/^\$\{(\w+)\}$/.exec(value)?.[1]);
    }
  });
});
