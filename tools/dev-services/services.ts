import { join } from 'node:path';
import { z } from 'zod';
import { startChild, waitForReadyMessage } from './child-process.ts';
import type { Child, Environment, Log } from './child-process.ts';
import { openSecrets } from './secrets.ts';
import type { Secrets } from './secrets.ts';

export interface ServicesOptions {
  dataDir: string;
  /** The public URL of the product; the identity service redirects people there. */
  publicUrl: string;
  /** 0 picks a free port; an absent one uses the service's default. */
  ports?: { dns?: number; identity?: number; postgres?: number; s3?: number };
  /** The user's environment. A service that is configured here is not started. */
  env: Environment;
  /** Whether hosts get certificates. Default: only when the environment configures an authority. */
  hasCertificates?: boolean;
  onLog?: Log;
}

export interface DevelopmentUser {
  name: string;
  email: string;
  provider: string;
  organization?: string | undefined;
}

export interface Services {
  /** The environment with which the API uses the started services. */
  env: Record<string, string>;
  /** Process ids by service. */
  pids: Record<string, number>;
  dnsPort: number | undefined;
  people: DevelopmentUser[];
  /** The file with the root of the certificates of this machine; undefined without its authority. */
  rootFile: string | undefined;
  /** Resolves with the reason when a service ends without a stop request. */
  died: Promise<Error>;
  close(): Promise<void>;
}

export type ServiceName = 'postgres' | 's3' | 'identity' | 'dns' | 'acme';

const BUCKET = 'homeport-files';

const port = z.int().positive();
const person = z.object({
  name: z.string(),
  email: z.string(),
  provider: z.string(),
  organization: z.string().optional(),
});
const ready = {
  postgres: z.object({ port, url: z.string() }),
  s3: z.object({ port, endpoint: z.string() }),
  dns: z.object({ port, controlUrl: z.string(), token: z.string() }),
  acme: z.object({
    directory: z.string(),
    rootFile: z.string(),
    externalAccount: z.object({ keyId: z.string(), key: z.string() }),
  }),
  identity: z.object({
    issuer: z.string(),
    audience: z.string(),
    clientId: z.string(),
    cliClientId: z.string(),
    clientSecret: z.string(),
    providers: z.array(z.object({ id: z.string(), label: z.string(), params: z.record(z.string(), z.string()) })),
    people: z.array(person),
  }),
};

/** Returns the services that the environment does not configure. */
export function requiredServices(env: Environment, hasCertificates = false): ServiceName[] {
  const embeddedDns = (env['DNS_PROVIDER'] || 'embedded') === 'embedded' && !env['EMBEDDED_DNS_URL'];
  const needed: [ServiceName, boolean][] = [
    ['postgres', !env['DATABASE_URL']],
    ['s3', !env['S3_ENDPOINT'] && !env['S3_BUCKET']],
    ['identity', !env['AUTH_ISSUER']],
    ['dns', embeddedDns],
    ['acme', hasCertificates && (env['CERTIFICATES'] || 'acme') === 'acme' && !env['ACME_DIRECTORY']],
  ];
  return needed.filter(([, isNeeded]) => isNeeded).map(([name]) => name);
}

/** Starts the required services in parallel. When one fails, stops the others and throws its message. */
export async function startServices(options: ServicesOptions): Promise<Services> {
  const secrets = await openSecrets(options.dataDir);
  const env = environmentFor(options, secrets);
  const children = requiredServices(options.env, options.hasCertificates).map((name) =>
    startChild({ name, main: join(import.meta.dirname, name, 'main.ts'), env, onLog: options.onLog }),
  );
  const close = async (): Promise<void> => void (await Promise.all(children.map((child) => child.close())));
  try {
    const messages = await Promise.all(
      children.map(async (child) => [child.name, await waitForReadyMessage(child)] as const),
    );
    return { ...settingsFrom(new Map(messages), options, secrets), ...watch(children), close };
  } catch (error) {
    await close();
    throw error;
  }
}

function environmentFor({ dataDir, publicUrl, ports = {}, env }: ServicesOptions, secrets: Secrets): Environment {
  const given = Object.entries({
    DNS_PORT: ports.dns,
    IDENTITY_PORT: ports.identity,
    POSTGRES_PORT: ports.postgres,
    S3_PORT: ports.s3,
  }).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  return {
    ...env,
    ...Object.fromEntries(given),
    DATA_DIR: dataDir,
    PUBLIC_URL: publicUrl,
    ACME_ZONE: challengeZoneOf(env),
    S3_BUCKET: env['S3_BUCKET'] || BUCKET,
    S3_ACCESS_KEY_ID: secrets.s3AccessKeyId,
    S3_SECRET_ACCESS_KEY: secrets.s3SecretAccessKey,
    AUTH_CLIENT_SECRET: env['AUTH_CLIENT_SECRET'] || secrets.authClientSecret,
  };
}

/**
 * The embedded DNS server answers DNS challenges below the platform domain unless it is configured otherwise. The label is
 * one that people do not choose for apps, because it is reserved.
 */
function challengeZoneOf(env: Environment): string {
  return env['ACME_ZONE'] || `acme--challenges.${env['PLATFORM_DOMAIN'] || 'apps.localhost'}`;
}

function watch(children: Child[]): Pick<Services, 'died' | 'pids'> {
  return {
    died: Promise.race([...children.map((child) => child.died), new Promise<never>(() => undefined)]),
    pids: Object.fromEntries(children.map(({ name, pid }) => [name, pid])),
  };
}

type Messages = ReadonlyMap<string, Record<string, unknown>>;

function settingsFrom(
  messages: Messages,
  { env: userEnv, dataDir }: Pick<ServicesOptions, 'env' | 'dataDir'>,
  secrets: Secrets,
): Pick<Services, 'env' | 'dnsPort' | 'people' | 'rootFile'> {
  const read = <S extends z.ZodType>(name: ServiceName, shape: S): z.infer<S> | undefined => {
    const message = messages.get(name);
    return message && shape.parse(message);
  };
  const postgres = read('postgres', ready.postgres);
  const s3 = read('s3', ready.s3);
  const dns = read('dns', ready.dns);
  const identity = read('identity', ready.identity);
  const acme = read('acme', ready.acme);
  const env = {
    SESSION_KEYS: userEnv['SESSION_KEYS'] || secrets.sessionKeys,
    SECRETS_KEYS: userEnv['SECRETS_KEYS'] || secrets.secretsKeys,
    USAGE_SPOOL_DIR: userEnv['USAGE_SPOOL_DIR'] || join(dataDir, 'usage'),
    ...(postgres && { DATABASE_URL: postgres.url }),
    ...(s3 && s3Settings(s3.endpoint, secrets)),
    ...(dns && { DNS_PROVIDER: 'embedded', EMBEDDED_DNS_URL: dns.controlUrl, EMBEDDED_DNS_TOKEN: dns.token }),
    ...(dns && { ACME_ZONE: challengeZoneOf(userEnv) }),
    // Own domains are practised with records of the embedded server.
    ...(dns && { DOMAIN_RESOLVERS: userEnv['DOMAIN_RESOLVERS'] || `127.0.0.1:${dns.port}` }),
    ...(identity && authSettings(identity)),
    ...(acme && acmeSettings(acme)),
  };
  return { env, dnsPort: dns?.port, people: identity?.people ?? [], rootFile: acme?.rootFile };
}

function s3Settings(endpoint: string, secrets: Secrets): Record<string, string> {
  return {
    S3_ENDPOINT: endpoint,
    S3_REGION: 'us-east-1',
    S3_BUCKET: BUCKET,
    S3_ACCESS_KEY_ID: secrets.s3AccessKeyId,
    S3_SECRET_ACCESS_KEY: secrets.s3SecretAccessKey,
    S3_FORCE_PATH_STYLE: 'true',
  };
}

function acmeSettings({ directory, externalAccount }: z.infer<typeof ready.acme>): Record<string, string> {
  return { ACME_DIRECTORY: directory, ACME_EAB_KEY_ID: externalAccount.keyId, ACME_EAB_KEY: externalAccount.key };
}

function authSettings(identity: z.infer<typeof ready.identity>): Record<string, string> {
  return {
    AUTH_ISSUER: identity.issuer,
    AUTH_AUDIENCE: identity.audience,
    AUTH_CLIENT_ID: identity.clientId,
    AUTH_CLIENT_SECRET: identity.clientSecret,
    AUTH_CLI_CLIENT_ID: identity.cliClientId,
    AUTH_SCOPES: 'openid profile email org offline_access',
    AUTH_PROVIDERS: JSON.stringify(identity.providers),
  };
}
