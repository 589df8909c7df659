import type { Provider } from '@nestjs/common';
import type { JobQueue } from '@homeport/platform/server/jobs';
import { DomainInspector } from '../domains/application/domain-inspector';
import type { DomainsOptions } from '../domains/domain-providers';
import { CertificateJobs } from '../maintenance/certificate-jobs';
import type { AppsUnitOfWork } from '../shared/application/apps-unit-of-work.port';
import { CERTIFICATES_JOB } from '../shared/application/job-names';
import type { HostnamePolicy } from '../shared/domain/hostname-policy';
import type { CertificateIssuer } from './application/certificate-issuer.port';
import type { CertificateRepository } from './application/certificate-repository.port';
import type { ChallengeProbe } from './application/challenge-probe.port';
import type { ChallengePublisher } from './application/challenge-publisher';
import { DueCertificates } from './application/due-certificates';
import { OrderPrecheck } from './application/order-precheck';
import { OrderRunner } from './application/order-runner';

export interface CertificatesOptions {
  readonly issuer: CertificateIssuer;
  readonly repository: CertificateRepository;
  readonly publisher: ChallengePublisher;
  readonly probe: ChallengeProbe;
  readonly reportFailure: (error: unknown, names: readonly string[]) => void;
}

interface Dependencies {
  readonly unitOfWork: AppsUnitOfWork;
  readonly hostnames: HostnamePolicy;
  readonly jobs: JobQueue;
  readonly domains: DomainsOptions;
  /** Undefined when this installation gets no certificates. */
  readonly certificates: CertificatesOptions | undefined;
}

export function certificateProviders(dependencies: Dependencies): Provider[] {
  const { jobs, certificates } = dependencies;
  const due = certificates && dueCertificates(certificates, dependencies);
  return [{ provide: CertificateJobs, useValue: new CertificateJobs(jobs, due) }];
}

function dueCertificates(
  certificates: CertificatesOptions,
  { unitOfWork, hostnames, jobs, domains }: Dependencies,
): DueCertificates {
  const { challengeZone, resolver } = domains;
  const inspector = new DomainInspector(resolver, { cdnHostname: hostnames.cdnHostname, challengeZone });
  const precheck = new OrderPrecheck({ ...certificates, inspector, resolver });
  const { isManaged } = certificates.issuer;
  const hasWildcards = challengeZone !== undefined && !isManaged;
  return new DueCertificates({
    ...certificates,
    runner: new OrderRunner({ ...certificates, precheck, unitOfWork }),
    wanted: {
      includesBaseDomains: hasWildcards,
      platformNames: hasWildcards ? [`*.${hostnames.domain}`] : undefined,
      isManaged,
    },
    scheduleRun: (delaySeconds) => jobs.enqueue(CERTIFICATES_JOB, delaySeconds),
  });
}
