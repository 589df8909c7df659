import { inject, Service } from '@angular/core';
import type { SignOutGuard } from '@homeport/identity/web';
import { formatNumber } from '@homeport/platform/web';
import { Drafts } from './drafts';

/** Warns at sign-out about unsaved changes. */
@Service()
export class DraftSignOutGuard implements SignOutGuard {
  readonly #drafts = inject(Drafts);

  async warning(): Promise<string | undefined> {
    const files = await this.#drafts.countFiles();
    if (files === 0) return undefined;
    return files === 1
      ? $localize`1 file has unsaved changes. They are only on this device and are deleted when you sign out.`
      : $localize`${formatNumber(files)}:count: files have unsaved changes. They are only on this device and are deleted when you sign out.`;
  }
}
