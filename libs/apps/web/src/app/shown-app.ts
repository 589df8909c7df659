import { computed, inject, Service, signal } from '@angular/core';
import { toSignal } from '@angular/core/rxjs-interop';
import { ActivatedRoute } from '@angular/router';
import type { App } from '@homeport/apps/contracts';
import { pollWhile } from '@homeport/platform/web';
import { map } from 'rxjs';
import { reloadOnAppChange } from '../client/reload-on-change';
import { AppsClient } from '../client/apps-client';
import { hostingData } from '../shared/hosting-data';
import { scopedData } from '../shared/scoped-data';

/** The app of the route, shared by its page and the tabs of the page. */
@Service({ autoProvided: false })
export class ShownApp {
  readonly #client = inject(AppsClient);
  readonly id = toSignal(inject(ActivatedRoute).paramMap.pipe(map((params) => params.get('id') ?? '')), {
    requireSync: true,
  });
  readonly data = scopedData(this.id, (id, signal) => this.#client.get(id, signal));
  readonly hosting = hostingData();
  /** Whether the DNS record is being retried. */
  readonly retrying = signal(false);
  readonly removing = signal(false);
  /** Checked even after a successful load: another user may delete the app while it is shown. */
  readonly isAbsent = computed(() => this.data.problem()?.status === 404);

  constructor() {
    const isWanted = (): boolean =>
      this.data.value() !== undefined && !this.isAbsent() && !this.retrying() && !this.removing();
    // Other members deploy, activate and delete too. Polling remains for the time without a connection for changes.
    pollWhile(this.data, isWanted);
    reloadOnAppChange(
      () => isWanted() && this.data.reload(),
      (id) => id === this.id(),
    );
  }

  /** Shows the app as the server has confirmed it. */
  changed(app: App): void {
    this.data.update(() => app);
  }
}
