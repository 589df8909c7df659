import { inject, Service } from '@angular/core';
import type { SignOutGuard } from '@homeport/identity/web';
import { formatNumber } from '@homeport/platform/web';
import { DeployUploads } from './deploy-uploads';

/** Warns at sign-out about deploys in progress, which the sign-out cancels. */
@Service()
export class DeploySignOutGuard implements SignOutGuard {
  readonly #uploads = inject(DeployUploads);

  async warning(): Promise<string | undefined> {
    const deploys = this.#uploads.inProgressCount();
    if (deploys === 0) return undefined;
    return deploys === 1
      ? $localize`1 deploy is still being uploaded.`
      : $localize`${formatNumber(deploys)}:count: deploys are still being uploaded.`;
  }
}
