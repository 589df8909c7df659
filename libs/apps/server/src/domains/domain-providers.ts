import type { Provider } from '@nestjs/common';
import type { JobQueue } from '@homeport/platform/server/jobs';
import type { CertificateIssuer } from '../certificates/application/certificate-issuer.port';
import { DomainJobs } from '../maintenance/domain-jobs';
import type { AppsUnitOfWork } from '../shared/application/apps-unit-of-work.port';
import { CERTIFICATES_JOB, DOMAINS_JOB } from '../shared/application/job-names';
import type { HostnamePolicy } from '../shared/domain/hostname-policy';
import { DomainUseCases } from './adapters/http/domain-use-cases';
import { DomainCatalog } from './application/domain-catalog';
import { DomainChecker } from './application/domain-checker';
import { DomainInspector } from './application/domain-inspector';
import { DomainPresenter } from './application/domain-presenter';
import type { DomainPrices } from './application/domain-prices.port';
import { DomainRegistration } from './application/domain-registration';
import type { DomainResolver } from './application/domain-resolver.port';
import { DueChecks } from './application/due-checks';
import { EditDomain } from './application/edit-domain';
import { DomainRules } from './domain/domain-rules';

export interface DomainsOptions {
  readonly resolver: DomainResolver;
  readonly prices: DomainPrices;
  /** Hosts of the product, which cannot be claimed. */
  readonly reservedHosts: readonly string[];
  /** The zone in which this installation answers DNS challenges. */
  readonly challengeZone: string | undefined;
  /** Whether this installation gets certificates. */
  readonly needsCertificate: boolean;
}

interface Dependencies {
  readonly unitOfWork: AppsUnitOfWork;
  readonly hostnames: HostnamePolicy;
  readonly jobs: JobQueue;
  readonly domains: DomainsOptions;
  /** Undefined when this installation gets no certificates. */
  readonly certificates: { readonly issuer: Pick<CertificateIssuer, 'caaIdentities'> } | undefined;
}

/** Checks of domains wait at most so long for the directories of the authorities. */
const DIRECTORY_MS = 2_000;

export function domainProviders({ unitOfWork, hostnames, jobs, domains, certificates }: Dependencies): Provider[] {
  const { cdnHostname, domain } = hostnames;
  const { challengeZone, needsCertificate, prices, reservedHosts, resolver } = domains;
  const caaIdentities = certificates && (() => certificates.issuer.caaIdentities(AbortSignal.timeout(DIRECTORY_MS)));
  const inspector = new DomainInspector(resolver, {
    cdnHostname,
    challengeZone,
    ...(caaIdentities && { caaIdentities }),
  });
  const presenter = new DomainPresenter(needsCertificate);
  const shared = { unitOfWork, inspector, presenter, needsCertificate };
  const checker = new DomainChecker({ ...shared, requestCertificate: () => jobs.enqueue(CERTIFICATES_JOB, 0) });
  const rules = new DomainRules([domain, cdnHostname, ...reservedHosts, ...(challengeZone ? [challengeZone] : [])]);
  const offersBaseDomains = !needsCertificate || challengeZone !== undefined;
  const scheduleRun = (delaySeconds: number) => jobs.enqueue(DOMAINS_JOB, delaySeconds);
  const useCases = new DomainUseCases(
    new DomainCatalog({ ...shared, checker, prices, offersBaseDomains }),
    new DomainRegistration({ ...shared, rules, prices, offersBaseDomains, scheduleCheck: () => scheduleRun(0) }),
    new EditDomain({ ...shared, hostnames }),
  );
  return [
    { provide: DomainUseCases, useValue: useCases },
    { provide: DomainJobs, useValue: new DomainJobs(jobs, new DueChecks({ unitOfWork, checker, scheduleRun })) },
  ];
}
