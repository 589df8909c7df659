import { computed, effect, inject, Injector, Service } from '@angular/core';
import { toSignal } from '@angular/core/rxjs-interop';
import { ActivatedRoute, Router } from '@angular/router';
import { Toasts } from '@homeport/platform/web';

/** The value of the query parameter `do` that opens the dialog. */
const QUERY_ACTION = 'new-app';

/** Registers an app in a dialog, and shows its page. The dialog is loaded on first use. */
@Service()
export class NewApp {
  readonly #injector = inject(Injector);
  readonly #router = inject(Router);
  readonly #toasts = inject(Toasts);

  async open(): Promise<void> {
    try {
      const { openNewAppDialog } = await import('./new-app-dialog');
      const app = await openNewAppDialog(this.#injector);
      if (app) await this.#router.navigate(['/apps', app.id], { state: { name: app.name } });
    } catch {
      this.#toasts.show($localize`The dialog could not be shown. Check your connection and try again.`);
    }
  }
}

/**
 * Opens the dialog once for `?do=new-app`. The parameter is removed from the URL first, so that going back or reloading
 * does not open it again. Requires an injection context.
 */
export function openOnQuery(isReady: () => boolean): void {
  const newApp = inject(NewApp);
  const route = inject(ActivatedRoute);
  const router = inject(Router);
  const query = toSignal(route.queryParamMap);
  const isAsked = computed(() => isReady() && query()?.get('do') === QUERY_ACTION);
  effect(() => {
    if (!isAsked()) return;
    const without = { relativeTo: route, queryParams: { do: null }, replaceUrl: true } as const;
    void router.navigate([], { ...without, queryParamsHandling: 'merge' }).then(() => newApp.open());
  });
}
