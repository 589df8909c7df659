import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { InvalidConfig } from '@homeport/platform/server/config';
import { type Config, ENVIRONMENT_NAMES, loadConfig } from './config';

const KEY = randomBytes(32);

/** The variables without a default. */
const REQUIRED: Readonly<Record<string, string>> = {
  DATABASE_URL: 'postgresql://app:pass@db.example:5432/homeport',
  S3_BUCKET: 'files',
  AUTH_ISSUER: 'https://idp.example/realm',
  AUTH_AUDIENCE: 'homeport-api',
  SESSION_KEYS: KEY.toString('base64'),
  EMBEDDED_DNS_URL: 'http://127.0.0.1:5380',
  EMBEDDED_DNS_TOKEN: 'dns-token',
};

function configWith(changes: Readonly<Record<string, string | undefined>> = {}): Config {
  return loadConfig({ ...REQUIRED, ...changes });
}

function issuesOf(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  try {
    loadConfig(env);
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidConfig);
    for (const issue of (error as InvalidConfig).issues) expect((error as Error).message).toContain(`  - ${issue}`);
    return (error as InvalidConfig).issues;
  }
  return [];
}

const issuesWith = (changes: Readonly<Record<string, string | undefined>>) => issuesOf({ ...REQUIRED, ...changes });

describe('loadConfig', () => {
  it('applies defaults to an environment with only the required variables', () => {
    const { cursorKeys, SESSION_KEYS, ...config } = configWith();
    expect(config).toStrictEqual({
      PORT: 3000,
      HOST: '127.0.0.1',
      APP_NAME: 'Homeport',
      LOG_LEVEL: 'info',
      MANAGEMENT_HOST: '127.0.0.1',
      SHUTDOWN_NOTICE_MS: 6_000,
      EDGE_PORT: 8080,
      PLATFORM_DOMAIN: 'apps.localhost',
      CDN_HOSTNAME: 'edge.localhost',
      RESERVED_SUBDOMAINS: [],
      APPS_PER_ORGANIZATION: 1_000,
      METERING: 'on',
      NAME_QUARANTINE_DAYS: 30,
      DEPLOY_MAX_BYTES: 104_857_600,
      DEPLOY_MAX_INFLATED_BYTES: 524_288_000,
      DEPLOY_MAX_FILES: 20_000,
      DEPLOY_MAX_FILE_BYTES: 52_428_800,
      DEPLOYS_KEPT: 20,
      RUNTIME: 'pooled',
      DATABASE_URL: REQUIRED['DATABASE_URL'],
      DATABASE_POOL_SIZE: 10,
      S3_REGION: 'us-east-1',
      S3_BUCKET: 'files',
      S3_FORCE_PATH_STYLE: false,
      FILES_MAX_BYTES: 104_857_600,
      AUTH_ISSUER: 'https://idp.example/realm',
      AUTH_AUDIENCE: 'homeport-api',
      AUTH_AUDIENCE_CLAIM: 'aud',
      AUTH_ORG_CLAIM: 'org_id',
      AUTH_ORG_NAME_CLAIM: 'org_name',
      AUTH_ALGORITHMS: ['RS256', 'ES256'],
      AUTH_CLOCK_SKEW_S: 30,
      AUTH_SCOPES: 'openid profile email offline_access',
      AUTH_PROVIDERS: [],
      RATE_LIMIT_PER_USER: 6_000,
      RATE_LIMIT_PER_ADDRESS: 600,
      RATE_LIMIT_CREATIONS: 1_200,
      TRUSTED_PROXIES: [],
      TRUST_ISSUER_NETWORKS: [],
      DNS_PROVIDER: 'embedded',
      DOMAIN_RESOLVERS: [],
      EMBEDDED_DNS_URL: 'http://127.0.0.1:5380',
      EMBEDDED_DNS_TOKEN: 'dns-token',
      RFC2136_KEY_ALGORITHM: 'hmac-sha256',
      publicUrl: 'http://localhost:3000',
    });
    expect(SESSION_KEYS).toEqual([KEY]);
    expect(cursorKeys).toEqual([expect.objectContaining({ length: 32 })]);
  });

  it('reads all given values', () => {
    const other = randomBytes(32);
    const config = configWith({
      PORT: '65535',
      PUBLIC_URL: 'https://homeport.example',
      RESERVED_SUBDOMAINS: ' intern , , Status ',
      S3_ENDPOINT: 'http://storage.internal:9000',
      S3_ACCESS_KEY_ID: 'id',
      S3_SECRET_ACCESS_KEY: 'key',
      S3_FORCE_PATH_STYLE: 'true',
      AUTH_AUDIENCE_CLAIM: 'client_id',
      AUTH_JWKS_URI: 'https://idp.example/keys',
      AUTH_ALGORITHMS: 'PS512, ES384,EdDSA',
      RATE_LIMIT_PER_USER: '0',
      TRUSTED_PROXIES: '10.0.0.0/8, ::1',
      AUTH_CLOCK_SKEW_S: '0',
      AUTH_PROVIDERS: '[{"id":"corp","label":"Company","params":{"kc_idp_hint":"corp"}}]',
      SESSION_KEYS: `${other.toString('base64')}, ${KEY.toString('base64')}`,
    });
    expect(config).toMatchObject({
      PORT: 65_535,
      publicUrl: 'https://homeport.example',
      RESERVED_SUBDOMAINS: ['intern', 'Status'],
      S3_ENDPOINT: 'http://storage.internal:9000',
      S3_ACCESS_KEY_ID: 'id',
      S3_SECRET_ACCESS_KEY: 'key',
      S3_FORCE_PATH_STYLE: true,
      AUTH_AUDIENCE_CLAIM: 'client_id',
      AUTH_JWKS_URI: 'https://idp.example/keys',
      AUTH_ALGORITHMS: ['PS512', 'ES384', 'EdDSA'],
      RATE_LIMIT_PER_USER: 0,
      TRUSTED_PROXIES: ['10.0.0.0/8', '::1'],
      AUTH_CLOCK_SKEW_S: 0,
      AUTH_PROVIDERS: [{ id: 'corp', label: 'Company', params: { kc_idp_hint: 'corp' } }],
      SESSION_KEYS: [other, KEY],
    });
  });

  it('derives a cursor key from each session key, newest first', () => {
    const other = randomBytes(32).toString('base64');
    const [cursorKey] = configWith().cursorKeys;
    const [newest, older] = configWith({ SESSION_KEYS: `${other},${REQUIRED['SESSION_KEYS']}` }).cursorKeys;
    expect(older).toEqual(cursorKey);
    expect(newest).not.toEqual(cursorKey);
    expect(cursorKey).not.toEqual(KEY);
  });

  it.each([
    [{ PORT: '4000' }, 'http://localhost:4000'],
    [{ PUBLIC_URL: 'https://homeport.example/' }, 'https://homeport.example'],
    [{ PUBLIC_URL: 'HTTPS://Homeport.Example' }, 'https://homeport.example'],
    [{ PUBLIC_URL: 'https://homeport.example:8443', PORT: '4000' }, 'https://homeport.example:8443'],
  ])('determines its public URL from %j', (changes, publicUrl) => {
    expect(configWith(changes).publicUrl).toBe(publicUrl);
  });

  it('treats an empty variable as unset', () => {
    const empty = Object.fromEntries(ENVIRONMENT_NAMES.filter((name) => !(name in REQUIRED)).map((name) => [name, '']));
    expect(configWith(empty)).toEqual(configWith());
    expect(configWith({ PORT: undefined })).toEqual(configWith());
    expect(issuesWith({ S3_BUCKET: '' })).toEqual(['S3_BUCKET is missing']);
  });

  it.each([
    ['ns1.example', { host: 'ns1.example', port: 53 }],
    ['192.0.2.1:5353', { host: '192.0.2.1', port: 5353 }],
    ['[2001:db8::1]', { host: '2001:db8::1', port: 53 }],
    ['[::1]:5353', { host: '::1', port: 5353 }],
  ])('reads the name server %s and its key', (RFC2136_SERVER, address) => {
    const settings = {
      DNS_PROVIDER: 'rfc2136',
      PLATFORM_DOMAIN: 'apps.example.com',
      RFC2136_SERVER,
      RFC2136_KEY_NAME: 'Homeport.',
      RFC2136_KEY_SECRET: KEY.toString('base64'),
    };
    for (const RFC2136_ZONE of ['apps.example.com', 'example.com']) {
      expect(configWith({ ...settings, RFC2136_ZONE })).toMatchObject({
        RFC2136_SERVER: address,
        RFC2136_ZONE,
        RFC2136_KEY_NAME: 'homeport',
        RFC2136_KEY_SECRET: KEY,
        RFC2136_KEY_ALGORITHM: 'hmac-sha256',
      });
    }
    expect(configWith({ ...settings, RFC2136_KEY_ALGORITHM: 'hmac-sha512' })).not.toHaveProperty('RFC2136_ZONE');
  });

  it('ignores unknown variables', () => {
    expect(configWith({ PATH: '/bin', npm_config_x: '1', port: 'x' })).toEqual(configWith());
    expect(configWith({ PATH: '/bin' })).not.toHaveProperty('PATH');
  });
});

describe('loadConfig with missing variables', () => {
  it('reports all of them at once', () => {
    expect(issuesOf({}).toSorted()).toEqual(
      Object.keys(REQUIRED)
        .map((name) => `${name} is missing`)
        .toSorted(),
    );
  });

  it.each(Object.keys(REQUIRED))('reports %s', (name) => {
    expect(issuesWith({ [name]: undefined })).toEqual([`${name} is missing`]);
  });

  it.each([
    ['embedded', ['EMBEDDED_DNS_TOKEN', 'EMBEDDED_DNS_URL']],
    ['route53', ['ROUTE53_HOSTED_ZONE_ID']],
    ['rfc2136', ['RFC2136_KEY_NAME', 'RFC2136_KEY_SECRET', 'RFC2136_SERVER']],
  ])('reports only the variables of the DNS provider %s', (DNS_PROVIDER, names) => {
    const issues = issuesWith({ DNS_PROVIDER, EMBEDDED_DNS_URL: undefined, EMBEDDED_DNS_TOKEN: undefined });
    expect(issues.toSorted()).toEqual(names.map((name) => `${name} is missing`));
  });

  it.each([
    ['acme', ['ACME_DIRECTORY', 'SECRETS_KEYS']],
    ['cloudfront', ['CLOUDFRONT_DISTRIBUTION_ID', 'SECRETS_KEYS']],
    ['off', []],
  ])('reports only the variables of certificates from %s', (CERTIFICATES, names) => {
    expect(issuesWith({ CERTIFICATES }).toSorted()).toEqual(names.map((name) => `${name} is missing`));
  });

  it('reports missing, invalid and conflicting variables at once', () => {
    const issues = issuesWith({ S3_BUCKET: '', PORT: 'x', AUTH_ALGORITHMS: 'none', S3_ACCESS_KEY_ID: 'id' });
    expect(issues.map((issue) => issue.split(' ')[0]).toSorted()).toEqual([
      'AUTH_ALGORITHMS',
      'PORT',
      'S3_BUCKET',
      'S3_SECRET_ACCESS_KEY',
    ]);
  });
});

const INVALID: readonly (readonly [name: string, values: readonly string[], issue: string])[] = [
  ['PORT', ['0', '65536', '-1'], 'is not'],
  ['PORT', ['3000.5', '0x10', '1e3', 'http', ' ', '３０００'], 'is'],
  ['EDGE_PORT', ['0', 'x'], 'is not'],
  ['DEPLOY_MAX_BYTES', ['0', '100MiB', '4294967297'], 'is not'],
  ['DEPLOYS_KEPT', ['1', '10001'], 'is not between 2 and 10000'],
  ['RUNTIME', ['on', 'Pooled'], 'is not one of pooled, lambda and off'],
  ['NAME_QUARANTINE_DAYS', ['-1', '3651'], 'is not'],
  ['DATABASE_POOL_SIZE', ['0', '501'], 'is not between 1 and 500'],
  ['FILES_MAX_BYTES', ['0', '9999999999999999'], 'is not'],
  ['AUTH_CLOCK_SKEW_S', ['-1', '0.5', 'NaN'], 'is not a whole number between 0 and 300'],
  ['PUBLIC_URL', ['homeport.example', 'ftp://homeport.example', 'https://'], 'is not an http or https address'],
  ['PUBLIC_URL', ['https://a.example/app', 'https://a.example/?x'], 'is not an origin'],
  ['PUBLIC_URL', ['https://u:p@a.example', 'https://:p@a.example'], 'contains credentials: remove them'],
  ['DATABASE_URL', ['mysql://db/x', 'db:5432', 'https://db.example'], 'is not a PostgreSQL address, such as'],
  ['DATABASE_URL', ['postgres://u:p%@db/x', 'postgres://db/%zz'], 'contains a % that encodes nothing: write it as %25'],
  ['AUTH_ISSUER', ['https://user:password@idp.example'], 'contains credentials: remove them'],
  ['AUTH_SCOPES', ['email', 'profile openid2'], 'does not contain openid'],
  ['S3_ENDPOINT', ['s3.example', 's3://bucket'], 'is not an http or https address'],
  ['S3_ENDPOINT', ['https://s3.example/?x=1', 'https://s3.example/#x'], 'contains a query or a fragment: remove it'],
  ['S3_REGION', ['eu west', 'eu_1', '-eu', 'eu-'], 'is not the name of a region'],
  ['AUTH_ISSUER', ['idp.example', 'ftp://idp.example', 'javascript:alert(1)'], 'is not an http or https address'],
  [
    'AUTH_ISSUER',
    ['http://idp.example', 'http://10.0.0.1', 'http://localhost.evil.example', 'http://127.0.0.1.evil.example'],
    'is neither https nor http on this machine',
  ],
  ['PUBLIC_URL', ['http://homeport.test', 'http://192.168.1.2:3000'], 'is neither https nor http on this machine'],
  ['AUTH_JWKS_URI', ['http://idp.example/keys', 'http://[2001:db8::1]/'], 'is neither https nor http on this machine'],
  ['AUTH_AUDIENCE_CLAIM', ['azp', 'AUD'], 'is neither aud nor client_id'],
  [
    'AUTH_ALGORITHMS',
    ['none', 'HS256', 'RS256,HS256', 'RS256,none', 'rs256', 'RS257', 'EdDSA2', ','],
    'contains something other',
  ],
  [
    'AUTH_PROVIDERS',
    [
      'google',
      '{}',
      '[{"id":"a"}]',
      '[{"id":"a","label":"A"}]',
      '[{"id":"","label":"A","params":{}}]',
      '[{"id":"a","label":"A","params":{"x":1}}]',
      '[{"id":"a","label":"A","params":{},"secret":"x"}]',
      '[',
    ],
    'is not JSON of the form',
  ],
  [
    'TRUSTED_PROXIES',
    ['true', '10.0.0', 'proxy.example', '10.0.0.0/40', '::/0'],
    'contains something other than IP addresses',
  ],
  [
    'SESSION_KEYS',
    ['short', randomBytes(31).toString('base64'), randomBytes(33).toString('base64'), ','],
    'is not a list',
  ],
  ['SESSION_KEYS', [`${KEY.toString('base64')},${randomBytes(16).toString('base64')}`], 'is not a list of base64 keys'],
  [
    'PLATFORM_DOMAIN',
    ['Apps.example', 'apps..example', '.example', 'a_b', 'http://x', 'x'.repeat(64)],
    'is not a host name',
  ],
  ['LOG_LEVEL', ['verbose', 'INFO'], 'is not one of trace, debug, info, warn, error, fatal and silent'],
  ['EMBEDDED_DNS_URL', ['http://u:p@127.0.0.1:1'], 'contains credentials: remove them'],
  ['EMBEDDED_DNS_TOKEN', ['to\nken', 'tokén'], 'contains a space, a line break or a letter that is not ASCII'],
  ['S3_FORCE_PATH_STYLE', ['yes', '1', 'TRUE'], 'is neither true nor false'],
  ['CERTIFICATES', ['on'], 'is not one of off, acme and cloudfront'],
  ['DNS_PROVIDER', ['cloud'], 'is not one of embedded, route53 and rfc2136'],
  [
    'RFC2136_SERVER',
    ['ns1:', 'ns1:0', 'ns1:65536', '2001:db8::1', '[ns1]', 'https://ns1', 'ns 1'],
    'is not of the form host, host:port',
  ],
  ['RFC2136_ZONE', ['Example.com', 'a..b'], 'is not a host name'],
  [
    'RFC2136_ZONE',
    ['example.com', 'x.apps.localhost', 'ps.localhost'],
    'is neither PLATFORM_DOMAIN nor a parent domain of it',
  ],
  ['RFC2136_KEY_NAME', ['a..b', 'two words', 'x'.repeat(64)], 'is not a valid key name'],
  ['RFC2136_KEY_SECRET', ['c2hvcnQ=', 'no base64 at all, however long', '%%%%'], 'is not base64 of 16 bytes or more'],
  ['RFC2136_KEY_ALGORITHM', ['hmac-sha1', 'hmac-md5', 'sha256'], 'is not one of hmac-sha256, hmac-sha384, hmac-sha512'],
  ['S3_BUCKET', [' '], 'is empty'],
  ['AUTH_AUDIENCE', ['\t'], 'is empty'],
];

describe('loadConfig with invalid variables', () => {
  it.each(INVALID.flatMap(([name, values, issue]) => values.map((value) => ({ name, value, issue }))))(
    'rejects $name=$value',
    ({ name, value, issue }) => {
      const issues = issuesWith({ [name]: value });
      expect(issues.length).toBeGreaterThan(0);
      for (const each of issues) expect(each).toMatch(new RegExp(`^${name} ${issue}`));
    },
  );

  it.each([
    'http://localhost:9000',
    'http://127.0.0.1:9000',
    'http://127.1.2.3',
    'http://[::1]:9000/realm',
    'http://idp.localhost',
    'HTTPS://idp.example',
  ])('accepts the issuer %s, because its traffic cannot be read in transit', (issuer) => {
    expect(configWith({ AUTH_ISSUER: issuer }).AUTH_ISSUER).toBe(issuer);
  });

  it('requires both the address and the keys of the webhook or neither', () => {
    const issue = ['USAGE_NOTICES_KEYS and USAGE_NOTICES_URL go together: set both or neither'];
    const pair = { USAGE_NOTICES_URL: 'https://hooks.example.com/x?y=z', USAGE_NOTICES_KEYS: KEY.toString('base64') };
    expect(issuesWith({ USAGE_NOTICES_URL: pair.USAGE_NOTICES_URL })).toEqual(issue);
    expect(issuesWith({ USAGE_NOTICES_KEYS: pair.USAGE_NOTICES_KEYS })).toEqual(issue);
    expect(configWith(pair)).toMatchObject({ ...pair, USAGE_NOTICES_KEYS: [KEY] });
    expect(issuesWith({ ...pair, USAGE_NOTICES_URL: 'http://hooks.example.com' })).toEqual([
      'USAGE_NOTICES_URL is neither https nor http on this machine',
    ]);
    expect(issuesWith({ ...pair, USAGE_NOTICES_URL: 'https://ada:secret@hooks.example.com' })).toEqual([
      'USAGE_NOTICES_URL contains credentials: remove them',
    ]);
  });

  it('rejects one port for requests and for programs of the operator', () => {
    const issue = 'MANAGEMENT_PORT is the same port as PORT';
    const ports = { PORT: '3000', MANAGEMENT_PORT: '3000' };
    expect(issuesWith(ports)).toEqual([issue]);
    expect(issuesWith({ ...ports, HOST: '0.0.0.0' })).toEqual([issue]);
    expect(issuesWith({ ...ports, HOST: '10.0.0.1', MANAGEMENT_HOST: '::' })).toEqual([issue]);
    expect(issuesWith({ ...ports, HOST: '10.0.0.1' })).toEqual([]);
    expect(issuesWith({ ...ports, HOST: '0.0.0.0', MANAGEMENT_HOST: '::1' })).toEqual([]);
  });

  it('requires both S3 credentials or neither', () => {
    const issue = ['S3_SECRET_ACCESS_KEY and S3_ACCESS_KEY_ID go together: set both or neither'];
    expect(issuesWith({ S3_ACCESS_KEY_ID: 'AKIA\nX', S3_SECRET_ACCESS_KEY: 'key' })).toEqual([
      'S3_ACCESS_KEY_ID contains a space, a line break or a letter that is not ASCII',
    ]);
    expect(issuesWith({ S3_ACCESS_KEY_ID: 'id' })).toEqual(issue);
    expect(issuesWith({ S3_SECRET_ACCESS_KEY: 'key' })).toEqual(issue);
    expect(issuesWith({ S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: '' })).toEqual(issue);
  });

  it.each(ENVIRONMENT_NAMES)('never repeats the value of %s', (name) => {
    const secret = 'Tr0ub4dor';
    const shapes = [
      secret,
      `http://u:${secret}@evil.example/${secret}`,
      `[{"id":"${secret}"}]`,
      `${secret},${secret}`,
      '9'.repeat(16),
    ];
    for (const value of shapes) {
      const text = issuesWith({ [name]: value }).join('\n');
      expect(text).not.toContain(secret);
      expect(text).not.toContain('9'.repeat(16));
    }
  });
});
