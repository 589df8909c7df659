import { inject, Service } from '@angular/core';
import type { SignOutGuard } from '@homeport/identity/web';
import { formatNumber } from '@homeport/platform/web';
import { Uploads } from './uploads';

/** Warns at sign-out about running uploads, which a sign-out cancels. */
@Service()
export class UploadSignOutGuard implements SignOutGuard {
  readonly #uploads = inject(Uploads);

  async warning(): Promise<string | undefined> {
    const files = this.#uploads.remaining();
    if (files === 0) return undefined;
    return files === 1
      ? $localize`1 file is still being uploaded.`
      : $localize`${formatNumber(files)}:count: files are still being uploaded.`;
  }
}
