import { inject, Service } from '@angular/core';
import type { SignOutGuard } from '@homeport/identity/web';
import { formatNumber } from '@homeport/platform/web';
import { Drafts } from './drafts';

/** Says at sign-out that there is something that was never saved. */
@Service()
export class DraftSignOutGuard implements SignOutGuard {
  readonly #drafts = inject(Drafts);

  async warning(): Promise<string | undefined> {
    const files = await this.#drafts.countFiles();
    if (files === 0) return undefined;
    return files === 1
      ? $localize`1 file has changes that were never saved. They are on this device only, and go when you sign out.`
      : $localize`${formatNumber(files)}:count: files have changes that were never saved. They are on this device only, and go when you sign out.`;
  }
}
