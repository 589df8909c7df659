import { readFileSync } from 'node:fs';
import { rootCertificates } from 'node:tls';
import {
  AcmeCertificateIssuer,
  type CertificateIssuer,
  type CertificateOrder,
  type CertificatesOptions,
  ChallengePublisher,
  type ChallengeZone,
  CloudFrontCertificateIssuer,
  type DomainResolver,
  EdgeChallengeProbe,
  PostgresAcmeAccounts,
  PostgresCertificateRepository,
  PostgresChallengeAnswers,
} from '@homeport/apps/server';
import type { Database } from '@homeport/platform/server/database';
import type { OutageLog } from '@homeport/platform/server/observability';
import { SecretBox, type SecretKey } from '@homeport/platform/server/secrets';
import { Agent } from 'undici';
import { issuerOf } from './certificate-variables';
import type { Config } from './config';

interface CertificateDependencies {
  readonly database: Database;
  readonly challengeZone: ChallengeZone;
  readonly resolver: DomainResolver;
  readonly outages: OutageLog;
}

const HTTP_PORT = 80;
const TLS_PORT = 443;
/** The operation of outages. */
const ORDER = 'order';

/** @returns undefined when this installation gets no certificates. */
export function certificateOptions(
  config: Config,
  { database, challengeZone, resolver, outages }: CertificateDependencies,
): CertificatesOptions | undefined {
  const kind = issuerOf(config);
  if (kind === 'off') return undefined;
  const box = new SecretBox(config.SECRETS_KEYS as readonly SecretKey[]);
  const zone = config.ACME_ZONE === undefined ? undefined : challengeZone;
  const publisher = new ChallengePublisher({ answers: new PostgresChallengeAnswers(database), zone });
  const isLocal = config.PLATFORM_DOMAIN.endsWith('.localhost');
  return {
    issuer: kind === 'cloudfront' ? cloudFrontIssuer(config) : acmeIssuer(config, database, box, publisher),
    repository: new PostgresCertificateRepository(database, box),
    publisher,
    probe: new EdgeChallengeProbe({
      resolver,
      cdnHostname: config.CDN_HOSTNAME,
      httpPort: isLocal ? config.EDGE_PORT : HTTP_PORT,
      tlsPort: (isLocal ? config.EDGE_TLS_PORT : undefined) ?? TLS_PORT,
    }),
    reportFailure: (error) => outages.failed(error, ORDER),
  };
}

function cloudFrontIssuer(config: Config): CertificateIssuer {
  return new CloudFrontCertificateIssuer({
    distributionId: config.CLOUDFRONT_DISTRIBUTION_ID as string,
    connectionGroupId: config.CLOUDFRONT_CONNECTION_GROUP_ID,
    endpoint: config.CLOUDFRONT_ENDPOINT,
  });
}

function acmeIssuer(
  config: Config,
  database: Database,
  box: SecretBox,
  publisher: ChallengePublisher,
): CertificateIssuer {
  return new AcmeCertificateIssuer({
    directories: [config.ACME_DIRECTORY, config.ACME_DIRECTORY_2].filter((url) => url !== undefined),
    dispatcher: acmeDispatcher(config),
    accounts: new PostgresAcmeAccounts(database, box),
    email: config.ACME_EMAIL,
    externalAccount: externalAccountOf(config),
    publisher,
    challengeNameOf: (order) => challengeNameOf(order, config),
  });
}

/** Trusts the usual authorities and ACME_CA_FILE. @throws {Error} when that file cannot be read. */
export function acmeDispatcher(config: Pick<Config, 'ACME_CA_FILE'>): Agent {
  return new Agent({ connect: { ca: [...rootCertificates, ...extraRoots(config)] } });
}

function extraRoots({ ACME_CA_FILE: file }: Pick<Config, 'ACME_CA_FILE'>): string[] {
  return file === undefined ? [] : [readFileSync(file, 'utf8')];
}

function externalAccountOf({ ACME_EAB_KEY_ID: keyId, ACME_EAB_KEY: key }: Config) {
  return keyId !== undefined && key !== undefined ? { keyId, key } : undefined;
}

/** The record to which `_acme-challenge` of the domain leads. */
function challengeNameOf({ claimId }: CertificateOrder, { ACME_ZONE }: Config): string {
  return `${claimId ?? 'platform'}.${ACME_ZONE}`;
}
