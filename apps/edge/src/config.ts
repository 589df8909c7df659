import { EDGE_REQUEST_LOGS } from '@homeport/hosting/server';
import {
  DATABASE_VARIABLES,
  distinctPorts,
  type Environment,
  hostname,
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

const Variables = z
  .object({
    ...DATABASE_VARIABLES,
    ...S3_VARIABLES,
    ...MANAGEMENT_VARIABLES,
    ...TRACING_VARIABLES,
    HOST: text.default('127.0.0.1'),
    EDGE_PORT: port.default(8080),
    EDGE_TLS_PORT: port.optional(),
    SECRETS_KEYS: secretsKeys.optional(),
    PLATFORM_DOMAIN: hostname.default('apps.localhost'),
    RUNTIME_DIR: text.regex(/^\//, 'is not an absolute path').optional(),
    TRUSTED_PROXIES: networks.default([]),
    LOG_LEVEL: logLevel.default('info'),
    SHUTDOWN_NOTICE_MS: shutdownNotice,
    EDGE_REQUEST_LOG: z.enum(EDGE_REQUEST_LOGS, 'is not one of off, errors and all').default('errors'),
    EDGE_CACHE_BYTES: wholeNumber(1024 ** 2, 1024 ** 4).default(64 * 1024 * 1024),
  })
  .check(S3_KEY_PAIR_CHECK)
  .check(distinctPorts('EDGE_PORT', 'EDGE_TLS_PORT'))
  .refine(({ EDGE_TLS_PORT, SECRETS_KEYS }) => EDGE_TLS_PORT === undefined || SECRETS_KEYS !== undefined, {
    path: ['SECRETS_KEYS'],
    message: 'is required with EDGE_TLS_PORT, because it seals the keys of certificates',
    // Runs when other variables are invalid too, so that all errors are reported at once.
    when: () => true,
  });

/** Every variable the edge reads. Tests compare it with the documentation and the compose file. */
export const EDGE_ENVIRONMENT_NAMES: readonly string[] = Object.keys(Variables.shape);

/** The variables whose values are logged at the start, none of them secret. URLs are logged without credentials. */
export const EDGE_LOGGED_SETTINGS: readonly string[] = [
  'DATABASE_POOL_SIZE',
  'DATABASE_URL',
  'EDGE_CACHE_BYTES',
  'EDGE_PORT',
  'EDGE_REQUEST_LOG',
  'EDGE_TLS_PORT',
  'HOST',
  'LOG_LEVEL',
  'MANAGEMENT_HOST',
  'MANAGEMENT_PORT',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'PLATFORM_DOMAIN',
  'RUNTIME_DIR',
  'SHUTDOWN_NOTICE_MS',
  'S3_BUCKET',
  'S3_ENDPOINT',
  'S3_FORCE_PATH_STYLE',
  'S3_REGION',
  'TRUSTED_PROXIES',
];

export type EdgeConfig = Readonly<z.infer<typeof Variables>>;

/** Reads the configuration from an environment. @throws {InvalidConfig} */
export function loadConfig(env: Environment): EdgeConfig {
  return readEnvironment(Variables, env);
}
