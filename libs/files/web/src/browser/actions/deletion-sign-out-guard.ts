import { inject, Service } from '@angular/core';
import type { SignOutGuard } from '@homeport/identity/web';
import { formatNumber } from '@homeport/platform/web';
import { Deletions } from './deletions';

/** Finishes pending deletions at sign-out and warns about files that could not be deleted. */
@Service()
export class DeletionSignOutGuard implements SignOutGuard {
  readonly #deletions = inject(Deletions);

  async warning(): Promise<string | undefined> {
    const failed = await this.#deletions.flush();
    if (failed === 0) return undefined;
    return failed === 1
      ? $localize`1 file could not be deleted. It is still in your workspace.`
      : $localize`${formatNumber(failed)}:count: files could not be deleted. They are still in your workspace.`;
  }
}
