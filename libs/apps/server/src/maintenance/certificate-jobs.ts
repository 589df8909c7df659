import type { OnApplicationBootstrap } from '@nestjs/common';
import type { JobQueue } from '@homeport/platform/server/jobs';
import type { DueCertificates } from '../certificates/application/due-certificates';
import { CERTIFICATE_REMOVALS_JOB, CERTIFICATES_JOB } from '../shared/application/job-names';

const EVERY_MINUTE = '* * * * *';
const EVERY_TEN_MINUTES = '*/10 * * * *';

/** The background jobs that order and renew certificates, and remove those of ended claims from their issuer. */
export class CertificateJobs implements OnApplicationBootstrap {
  /** @param certificates undefined when this installation gets no certificates. */
  constructor(
    private readonly jobs: JobQueue,
    private readonly certificates: DueCertificates | undefined,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const { certificates } = this;
    if (!certificates) return;
    await this.jobs.register({ name: CERTIFICATES_JOB, cron: EVERY_MINUTE, run: () => certificates.run() });
    const removeUnused = () => certificates.removeUnused();
    await this.jobs.register({ name: CERTIFICATE_REMOVALS_JOB, cron: EVERY_TEN_MINUTES, run: removeUnused });
    // The certificate of the platform domain does not wait for the schedule.
    await this.jobs.enqueue(CERTIFICATES_JOB, 0);
  }
}
