import { inject, Service } from '@angular/core';
import type { SignOutGuard } from '@homeport/identity/web';
import { formatNumber } from '@homeport/platform/web';
import { SaveQueue } from './save-queue';
import { SaveSender } from './save-sender';

/** Sends the queued saves at sign-out, and warns about those that cannot be sent. */
@Service()
export class SaveSignOutGuard implements SignOutGuard {
  readonly #queue = inject(SaveQueue);
  readonly #sender = inject(SaveSender);

  async warning(): Promise<string | undefined> {
    await this.#sender.flush();
    await this.#queue.refresh();
    const waiting = this.#queue.saves().length;
    if (waiting === 0) return undefined;
    return waiting === 1
      ? $localize`1 saved file has not been sent yet. It is only on this device and is deleted when you sign out.`
      : $localize`${formatNumber(waiting)}:count: saved files have not been sent yet. They are only on this device and are deleted when you sign out.`;
  }
}
