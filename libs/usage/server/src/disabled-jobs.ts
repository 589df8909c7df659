import type { OnApplicationBootstrap } from '@nestjs/common';
import type { JobQueue } from '@homeport/platform/server/jobs';

/** Removes the jobs of a feature that the settings turn off. */
export class DisabledJobs implements OnApplicationBootstrap {
  constructor(
    private readonly jobs: JobQueue,
    private readonly names: readonly string[],
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    for (const name of this.names) await this.jobs.remove(name);
  }
}
