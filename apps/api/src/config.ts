import { parseServerAddress, TSIG_ALGORITHMS } from '@homeport/apps/server/dns-settings';
import { hkdfSync } from 'node:crypto';
import {
  DATABASE_VARIABLES,
  distinctPorts,
  type Environment,
  headerText,
  hostname,
  httpUrl,
  list,
  logLevel,
  MANAGEMENT_VARIABLES,
  TRACING_VARIABLES,
  networks,
  port,
  readEnvironment,
  secretsKeys,
  S3_KEY_PAIR_CHECK,
  S3_VARIABLES,
  shutdownNotice,
  text,
  wholeNumber,
} from '@homeport/platform/server/config';
import { z } from 'zod';
import { CERTIFICATE_VARIABLES, certificateRequirements } from './certificate-variables';
import { base64Keys, NOTICE_PAIR_CHECK, NOTICE_VARIABLES } from './notice-variables';
import { httpUrlWithoutCredentials, secureUrl } from './secure-url';
import { algorithms, providers, scopes } from './sign-in-variables';

/**
 * An origin without a path, because cookies, redirects and `/auth/callback` apply to the whole origin. Plain http does
 * not work, because browsers then do not send the site of a request (`Sec-Fetch-Site`).
 */
const origin = secureUrl.refine((value) => {
  if (!URL.canParse(value)) return true;
  const { pathname, search, hash } = new URL(value);
  return `${pathname}${search}${hash}` === '/';
}, 'is not an origin: remove path and query');
const isName = (value: unknown) => hostname.safeParse(value).success;
const nameServer = text.transform((value, context) => {
  const address = parseServerAddress(value);
  if (address) return address;
  context.addIssue('is not of the form host, host:port or [IPv6 address]:port');
  return z.NEVER;
});
const nameServers = list.refine(
  (servers) => servers.every((server) => parseServerAddress(server) !== undefined),
  'contains something other than host, host:port or [IPv6 address]:port',
);
const keyName = text
  .toLowerCase()
  .regex(
    /^[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*\.?$/,
    'is not a valid key name: use letters, digits, "-", "_" and dots',
  )
  .transform((value) => value.replace(/\.$/, ''));
/** The minimum, because shorter secrets can be guessed (RFC 8945, section 8). */
const KEY_SECRET_BYTES = 16;
const keySecret = text.transform((value, context) => {
  const secret = Buffer.from(value, 'base64');
  if (secret.length >= KEY_SECRET_BYTES && secret.toString('base64') === value) return secret;
  context.addIssue(`is not base64 of ${KEY_SECRET_BYTES} bytes or more`);
  return z.NEVER;
});

/** The required variables of each DNS provider. */
const DNS_REQUIREMENTS = {
  embedded: ['EMBEDDED_DNS_URL', 'EMBEDDED_DNS_TOKEN'],
  route53: ['ROUTE53_HOSTED_ZONE_ID'],
  rfc2136: ['RFC2136_SERVER', 'RFC2136_KEY_NAME', 'RFC2136_KEY_SECRET'],
} as const;

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;

const VARIABLES = z
  .object({
    PORT: port.default(3000),
    HOST: text.default('127.0.0.1'),
    PUBLIC_URL: origin.optional(),
    CLIENT_DIR: text.optional(),
    APP_NAME: text.default('Homeport'),
    LOG_LEVEL: logLevel.default('info'),
    SHUTDOWN_NOTICE_MS: shutdownNotice,
    EDGE_PORT: port.default(8080),
    PLATFORM_DOMAIN: hostname.default('apps.localhost'),
    CDN_HOSTNAME: hostname.default('edge.localhost'),
    RESERVED_SUBDOMAINS: list.default([]),
    APPS_PER_ORGANIZATION: wholeNumber(1, 1_000_000).default(1_000),
    NAME_QUARANTINE_DAYS: wholeNumber(0, 3_650).default(30),
    DEPLOY_MAX_BYTES: wholeNumber(1, 4 * GIB).default(100 * MIB),
    DEPLOY_MAX_INFLATED_BYTES: wholeNumber(1, 64 * GIB).default(500 * MIB),
    DEPLOY_MAX_FILES: wholeNumber(1, 1_000_000).default(20_000),
    DEPLOY_MAX_FILE_BYTES: wholeNumber(1, 4 * GIB).default(50 * MIB),
    DEPLOYS_KEPT: wholeNumber(2, 10_000).default(20),
    RUNTIME: z.enum(['pooled', 'lambda', 'off'], 'is not one of pooled, lambda and off').default('pooled'),
    DOMAIN_RESOLVERS: nameServers.default([]),
    ...CERTIFICATE_VARIABLES,
    EDGE_TLS_PORT: port.optional(),
    ...MANAGEMENT_VARIABLES,
    METERING: z.enum(['on', 'off'], 'is neither on nor off').default('on'),
    USAGE_SPOOL_DIR: text.optional(),
    ...NOTICE_VARIABLES,
    ...TRACING_VARIABLES,
    ...DATABASE_VARIABLES,
    ...S3_VARIABLES,
    FILES_MAX_BYTES: wholeNumber(1, 5 * 1024 ** 4).default(104_857_600),
    AUTH_ISSUER: secureUrl,
    AUTH_AUDIENCE: text,
    AUTH_AUDIENCE_CLAIM: z.enum(['aud', 'client_id'], 'is neither aud nor client_id').default('aud'),
    AUTH_JWKS_URI: secureUrl.optional(),
    AUTH_ORG_CLAIM: text.default('org_id'),
    AUTH_ORG_NAME_CLAIM: text.default('org_name'),
    AUTH_ALGORITHMS: algorithms.default(['RS256', 'ES256']),
    AUTH_CLOCK_SKEW_S: wholeNumber(0, 300).default(30),
    AUTH_CLIENT_ID: text.optional(),
    AUTH_CLIENT_SECRET: text.optional(),
    AUTH_CLI_CLIENT_ID: text.optional(),
    AUTH_SCOPES: scopes.default('openid profile email offline_access'),
    AUTH_PROVIDERS: providers.default([]),
    SESSION_KEYS: base64Keys,
    SECRETS_KEYS: secretsKeys.optional(),
    RATE_LIMIT_PER_USER: wholeNumber(0, 1_000_000).default(6_000),
    RATE_LIMIT_PER_ADDRESS: wholeNumber(0, 1_000_000).default(600),
    RATE_LIMIT_CREATIONS: wholeNumber(0, 1_000_000).default(1_200),
    TRUSTED_PROXIES: networks.default([]),
    TRUST_ISSUER_NETWORKS: networks.default([]),
    DNS_PROVIDER: z
      .enum(['embedded', 'route53', 'rfc2136'], 'is not one of embedded, route53 and rfc2136')
      .default('embedded'),
    EMBEDDED_DNS_URL: httpUrlWithoutCredentials.optional(),
    EMBEDDED_DNS_TOKEN: headerText.optional(),
    ROUTE53_HOSTED_ZONE_ID: text.optional(),
    ROUTE53_ENDPOINT: httpUrl.optional(),
    RFC2136_SERVER: nameServer.optional(),
    RFC2136_ZONE: hostname.optional(),
    RFC2136_KEY_NAME: keyName.optional(),
    RFC2136_KEY_SECRET: keySecret.optional(),
    RFC2136_KEY_ALGORITHM: z
      .enum(TSIG_ALGORITHMS, `is not one of ${TSIG_ALGORITHMS.join(', ')}`)
      .default('hmac-sha256'),
  })
  .check(S3_KEY_PAIR_CHECK)
  .check(NOTICE_PAIR_CHECK)
  .check(distinctPorts('PORT'))
  .refine(({ PLATFORM_DOMAIN: domain, RFC2136_ZONE: zone }) => !isName(zone) || `.${domain}`.endsWith(`.${zone}`), {
    path: ['RFC2136_ZONE'],
    error: 'is neither PLATFORM_DOMAIN nor a parent domain of it',
    // Runs when other variables are invalid too, so that all errors are reported at once.
    when: () => true,
  })
  .superRefine(
    (env, context) => {
      for (const name of DNS_REQUIREMENTS[env.DNS_PROVIDER] ?? []) {
        if (env[name] === undefined) context.addIssue({ code: 'custom', path: [name], message: 'is missing' });
      }
      for (const name of certificateRequirements(env)) {
        if (env[name] === undefined) context.addIssue({ code: 'custom', path: [name], message: 'is missing' });
      }
    },
    { when: () => true },
  );

/** Every variable the API reads. Tests compare it with the documentation and the compose file. */
export const ENVIRONMENT_NAMES: readonly string[] = Object.keys(VARIABLES.shape);

/** The variables whose values are logged at the start, none of them secret. URLs are logged without credentials. */
export const LOGGED_SETTINGS: readonly string[] = [
  'ACME_CA_FILE',
  'ACME_DIRECTORY',
  'ACME_DIRECTORY_2',
  'ACME_EMAIL',
  'ACME_ZONE',
  'APPS_PER_ORGANIZATION',
  'APP_NAME',
  'AUTH_ALGORITHMS',
  'AUTH_AUDIENCE',
  'AUTH_AUDIENCE_CLAIM',
  'AUTH_CLIENT_ID',
  'AUTH_CLI_CLIENT_ID',
  'AUTH_CLOCK_SKEW_S',
  'AUTH_ISSUER',
  'AUTH_JWKS_URI',
  'AUTH_ORG_CLAIM',
  'AUTH_ORG_NAME_CLAIM',
  'AUTH_SCOPES',
  'CDN_HOSTNAME',
  'CERTIFICATES',
  'CLIENT_DIR',
  'CLOUDFRONT_CONNECTION_GROUP_ID',
  'CLOUDFRONT_DISTRIBUTION_ID',
  'CLOUDFRONT_ENDPOINT',
  'DATABASE_POOL_SIZE',
  'DATABASE_URL',
  'DEPLOYS_KEPT',
  'DEPLOY_MAX_BYTES',
  'DEPLOY_MAX_FILES',
  'DEPLOY_MAX_FILE_BYTES',
  'DEPLOY_MAX_INFLATED_BYTES',
  'DNS_PROVIDER',
  'EDGE_PORT',
  'EDGE_TLS_PORT',
  'EMBEDDED_DNS_URL',
  'FILES_MAX_BYTES',
  'HOST',
  'LOG_LEVEL',
  'MANAGEMENT_HOST',
  'MANAGEMENT_PORT',
  'METERING',
  'NAME_QUARANTINE_DAYS',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'PLATFORM_DOMAIN',
  'PORT',
  'PUBLIC_URL',
  'RATE_LIMIT_CREATIONS',
  'RATE_LIMIT_PER_ADDRESS',
  'RATE_LIMIT_PER_USER',
  'RESERVED_SUBDOMAINS',
  'RFC2136_KEY_ALGORITHM',
  'RFC2136_KEY_NAME',
  'RFC2136_SERVER',
  'RFC2136_ZONE',
  'ROUTE53_ENDPOINT',
  'ROUTE53_HOSTED_ZONE_ID',
  'RUNTIME',
  'S3_BUCKET',
  'S3_ENDPOINT',
  'S3_FORCE_PATH_STYLE',
  'S3_REGION',
  'SHUTDOWN_NOTICE_MS',
  'TRUSTED_PROXIES',
  'TRUST_ISSUER_NETWORKS',
  'USAGE_SPOOL_DIR',
];

export type Config = Readonly<z.infer<typeof VARIABLES>> & {
  /** The public origin of the product, without a trailing slash. */
  readonly publicUrl: string;
  /** The keys of list cursors, newest first. They are derived, so that all instances share them. */
  readonly cursorKeys: readonly Buffer[];
};

/** Reads the configuration from an environment. @throws {InvalidConfig} */
export function loadConfig(env: Environment): Config {
  const config = readEnvironment(VARIABLES, env);
  return {
    ...config,
    publicUrl: new URL(config.PUBLIC_URL ?? `http://localhost:${config.PORT}`).origin,
    cursorKeys: config.SESSION_KEYS.map((key) =>
      Buffer.from(hkdfSync('sha256', key, '', 'homeport listing cursors', 32)),
    ),
  };
}
