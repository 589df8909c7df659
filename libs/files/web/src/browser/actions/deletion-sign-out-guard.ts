import { inject, Service } from '@angular/core';
import type { SignOutGuard } from '@homeport/identity/web';
import { formatNumber } from '@homeport/platform/web';
import { Deletions } from './deletions';

/** Finishes at sign-out what somebody has deleted, and says what stays. */
@Service()
export class DeletionSignOutGuard implements SignOutGuard {
  readonly #deletions = inject(Deletions);

  async warning(): Promise<string | undefined> {
    const failed = await this.#deletions.flush();
    if (failed === 0) return undefined;
    return failed === 1
      ? $localize`1 file that you deleted could not be deleted. It stays.`
      : $localize`${formatNumber(failed)}:count: files that you deleted could not be deleted. They stay.`;
  }
}
