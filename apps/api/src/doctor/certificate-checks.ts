import { randomBytes, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { AcmeConnection } from '@homeport/apps/server';
import { dnsZonesFor } from '../apps-options';
import { acmeDispatcher } from '../certificate-options';
import { issuerOf } from '../certificate-variables';
import type { Config } from '../config';
import { type Check, type Explanation, fault, type Finding, ok, warning } from './check';
import { domainResolver } from './dns-checks';
import { explainDnsChange } from './dns-failures';
import { networkExplanation, unknownFailure } from './network-failures';

const ZONE_LIMIT_MS = 45_000;
const CLEAN_UP_LIMIT_MS = 10_000;
const CA_FILE = 'acme-ca-file';
const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^]*?-----END CERTIFICATE-----/g;

/** None when this installation orders no certificates from an ACME authority. */
export function certificateChecks(config: Config): readonly Check[] {
  if (issuerOf(config) !== 'acme') return [];
  const directories = (['ACME_DIRECTORY', 'ACME_DIRECTORY_2'] as const).filter((name) => config[name] !== undefined);
  const zone: Check = {
    name: 'acme-zone',
    needs: ['dns'],
    limitMs: ZONE_LIMIT_MS,
    explain: (code) => explainDnsChange(code, `TXT records below ${config.ACME_ZONE}`, config),
    run: (signal) => checkChallenge(config, config.ACME_ZONE as string, signal),
  };
  const { ACME_CA_FILE } = config;
  return [
    ...(ACME_CA_FILE === undefined ? [] : [caFileCheck(ACME_CA_FILE)]),
    ...directories.map((name, at): Check => ({
      name: at === 0 ? 'acme-directory' : 'acme-directory-2',
      needs: ACME_CA_FILE === undefined ? [] : [CA_FILE],
      explain: (code) => explainDirectory(code, config, name),
      run: (signal) => checkDirectory(config, name, signal),
    })),
    ...(config.ACME_ZONE === undefined ? [] : [zone]),
  ];
}

function caFileCheck(file: string): Check {
  return {
    name: CA_FILE,
    explain: (code) => ({
      detail: `This user cannot read the file ${file} (${code}).`,
      remedy: 'Set ACME_CA_FILE to the file of the root certificate, and let the user of the API read it.',
    }),
    run: async () => caFileFinding(file, await readFile(file, 'utf8')),
  };
}

/** @param text of a file in PEM. @param now milliseconds. */
export function caFileFinding(file: string, text: string, now = Date.now()): Finding {
  const correct = 'Set ACME_CA_FILE to the root certificate of the authority in PEM.';
  try {
    const certificates = (text.match(CERTIFICATE) ?? []).map((pem) => new X509Certificate(pem));
    if (certificates.length === 0) return fault(`The file ${file} has no certificate in PEM.`, correct);
    const expired = certificates.find(({ validToDate }) => validToDate.getTime() < now);
    const valid = certificates.filter(({ validToDate }) => validToDate.getTime() >= now);
    if (valid.length === 0) return fault(`A certificate in ${file} ended at ${expired?.validTo}.`, correct);
    if (expired) return warning(`A certificate in ${file} ended at ${expired.validTo}.`, 'Remove it from the file.');
    return ok(`Certificates in ${file} that are trusted for the authority: ${valid.length}.`);
  } catch {
    return fault(`A certificate in ${file} is damaged.`, correct);
  }
}

type DirectoryName = 'ACME_DIRECTORY' | 'ACME_DIRECTORY_2';

async function checkDirectory(config: Config, name: DirectoryName, signal: AbortSignal): Promise<Finding> {
  const url = config[name] as string;
  const dispatcher = acmeDispatcher(config);
  try {
    const { meta } = await new AcmeConnection(url, dispatcher).directory(signal);
    const needsAccount = meta?.['externalAccountRequired'] === true;
    if (!needsAccount || config.ACME_EAB_KEY_ID !== undefined) return ok(`The authority answers at ${url}.`);
    return fault(
      `The authority at ${url} accepts only accounts that are bound to one of its customers.`,
      'Set ACME_EAB_KEY_ID and ACME_EAB_KEY to the values that it gave you.',
    );
  } finally {
    await dispatcher.close();
  }
}

function explainDirectory(code: string, config: Config, name: DirectoryName): Explanation {
  const url = config[name] as string;
  const service = `The certificate authority at ${new URL(url).host}`;
  if (/^(HTTP_5\d\d|HTTP_429)$/.test(code)) {
    return {
      detail: `${service} is unavailable (${code}).`,
      remedy: 'Run the command again, and read its status page.',
    };
  }
  if (code === 'NO_DIRECTORY' || code.startsWith('HTTP_')) {
    return { detail: `${service} has no ACME directory at ${url} (${code}).`, remedy: `Correct ${name}.` };
  }
  if (/^(SELF_SIGNED|DEPTH_ZERO|UNABLE_TO)/.test(code)) {
    return {
      detail: `${service} has a certificate that is not trusted (${code}).`,
      remedy: 'Set ACME_CA_FILE to the root certificate of the authority.',
    };
  }
  return networkExplanation(code, service, name) ?? unknownFailure(code, service, name);
}

/** Creates an answer to a challenge, looks it up on the name servers, and removes it. */
async function checkChallenge(config: Config, acmeZone: string, signal: AbortSignal): Promise<Finding> {
  const { challengeZone } = dnsZonesFor(config);
  const name = `homeport-doctor-${randomBytes(8).toString('hex')}.${acmeZone}`;
  const value = randomBytes(16).toString('hex');
  try {
    await challengeZone.add(name, value, signal);
    if (acmeZone.endsWith('.localhost') && config.DOMAIN_RESOLVERS.length === 0) {
      return ok(`Answers to challenges can be changed in ${acmeZone}.`);
    }
    const answers = await domainResolver(config).askAll(name, 'TXT');
    const missing = answers.filter(({ values }) => !values.includes(value)).map(({ server }) => server);
    if (answers.length > 0 && missing.length === 0)
      return ok(`The name servers of ${acmeZone} return answers to challenges.`);
    if (answers.length > 0) {
      return warning(
        `${missing.join(', ')} did not return a new answer to a challenge at once.`,
        `Check that these servers get the changes of ${acmeZone} within seconds.`,
      );
    }
    return fault(
      `No name server of ${acmeZone} can be found.`,
      `Delegate ${acmeZone}: create its NS records in the parent zone, or correct ACME_ZONE.`,
    );
  } finally {
    await challengeZone.remove(name, value, AbortSignal.timeout(CLEAN_UP_LIMIT_MS)).catch(() => undefined);
  }
}
