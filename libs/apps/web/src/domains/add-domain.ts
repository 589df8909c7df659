import { inject, Injector, Service } from '@angular/core';
import { Router } from '@angular/router';
import { Toasts } from '@homeport/platform/web';

/** Adds a domain in a dialog, and shows its page. The dialog is loaded on first use. */
@Service()
export class AddDomain {
  readonly #injector = inject(Injector);
  readonly #router = inject(Router);
  readonly #toasts = inject(Toasts);

  /** @param appId the app of the page; undefined where the person chooses. */
  async open(appId?: string): Promise<void> {
    try {
      const { openAddDomainDialog } = await import('./add-domain-dialog');
      const domain = await openAddDomainDialog(this.#injector, appId);
      if (domain) await this.#router.navigate(['/apps/domains', domain.id], { state: { name: domain.name } });
    } catch {
      this.#toasts.show($localize`The dialog could not be shown. Check your connection and try again.`);
    }
  }
}
