import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Database } from './database.ts';
import { NETWORK } from './network.ts';
import { SHUTDOWN_NOTICE_MS } from './program-task.ts';
import type { Settings } from './settings.ts';
import type { SignIn } from './sign-in.ts';
import { type Size, SIZE_OF } from './sizes.ts';

/** The folder that edge and runtime share. */
export const RUNTIME_DIR = '/run/homeport';

export interface Environment {
  readonly environment: Readonly<Record<string, string>>;
  readonly secrets: Readonly<Record<string, ISecret>>;
}

export interface EnvironmentOptions {
  readonly settings: Settings;
  readonly database: Database;
  readonly bucketName: string;
  readonly signIn: SignIn;
  readonly hostedZoneId: string;
  readonly distributionHost: string;
  readonly sessionKeys: ISecret;
  readonly secretsKeys: ISecret;
}

function shared({ settings, database, bucketName }: EnvironmentOptions, program: keyof Size['pools']): Environment {
  const DATABASE_POOL_SIZE = String(SIZE_OF[settings.size].pools[program]);
  return {
    environment: { DATABASE_POOL_SIZE, S3_BUCKET: bucketName, S3_REGION: settings.region },
    secrets: { DATABASE_URL: database.url },
  };
}

export function apiEnvironment(options: EnvironmentOptions): Environment {
  const { settings, signIn, hostedZoneId, distributionHost, sessionKeys, secretsKeys } = options;
  const { environment, secrets } = shared(options, 'api');
  return {
    environment: {
      ...environment,
      PUBLIC_URL: `https://${settings.productHost}`,
      PLATFORM_DOMAIN: settings.platformDomain,
      CDN_HOSTNAME: distributionHost,
      DNS_PROVIDER: 'route53',
      ROUTE53_HOSTED_ZONE_ID: hostedZoneId,
      AUTH_ISSUER: signIn.issuer,
      // Access tokens of Cognito have no `aud`.
      AUTH_AUDIENCE: signIn.clientId,
      AUTH_AUDIENCE_CLAIM: 'client_id',
      AUTH_CLIENT_ID: signIn.clientId,
      AUTH_ORG_CLAIM: 'org_id',
      AUTH_ORG_NAME_CLAIM: 'org_name',
      AUTH_SCOPES: signIn.scopes,
      AUTH_PROVIDERS: JSON.stringify(signIn.providers),
      RUNTIME: settings.runtime,
      SHUTDOWN_NOTICE_MS: String(SHUTDOWN_NOTICE_MS),
      TRUSTED_PROXIES: NETWORK,
    },
    secrets: {
      ...secrets,
      AUTH_CLIENT_SECRET: signIn.clientSecret,
      SESSION_KEYS: sessionKeys,
      SECRETS_KEYS: secretsKeys,
    },
  };
}

export function edgeEnvironment(options: EnvironmentOptions): Environment {
  const { environment, secrets } = shared(options, 'edge');
  return {
    environment: {
      ...environment,
      PLATFORM_DOMAIN: options.settings.platformDomain,
      SHUTDOWN_NOTICE_MS: String(SHUTDOWN_NOTICE_MS),
      TRUSTED_PROXIES: NETWORK,
      ...(options.settings.runtime === 'lambda' && { RUNTIME_DIR }),
    },
    secrets,
  };
}

/** Only with Lambda: Fargate denies the namespaces that sandboxes on the machine need. */
export function runtimeEnvironment(options: EnvironmentOptions): Environment {
  const { environment, secrets } = shared(options, 'runtime');
  return {
    environment: {
      ...environment,
      RUNTIME: 'lambda',
      RUNTIME_DIR,
      RUNTIME_TENANCY: options.settings.tenancy,
      AWS_ACCOUNT_ID: options.settings.account,
    },
    secrets: { ...secrets, SECRETS_KEYS: options.secretsKeys },
  };
}
