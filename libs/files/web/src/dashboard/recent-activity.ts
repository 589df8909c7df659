import { inject, Injector, Service } from '@angular/core';
import { hasPersonalData } from '@homeport/identity/web';
import { delay } from '@homeport/platform/web';
import type { Draft } from '../drafts/draft';
import type { CacheEntry } from '../offline/eviction-policy';
import { CurrentOfflineCache } from '../offline/offline-cache';

/** The files that the user opened on this device, and the unsaved drafts. */
export interface RecentActivity {
  readonly opened: readonly CacheEntry[];
  readonly drafts: readonly Draft[];
}

const NONE: RecentActivity = { opened: [], drafts: [] };
/** A blocked database must not delay the home page. */
const TIMEOUT_MS = 1_500;

/** Reads what the user did on this device from the offline cache and the drafts. */
@Service()
export class RecentActivityReader {
  readonly #cache = inject(CurrentOfflineCache);
  readonly #injector = inject(Injector);

  /** Never rejects: without storage on this device, there is no activity. */
  async read(): Promise<RecentActivity> {
    const found = Promise.all([this.#cache.get()?.entries() ?? [], this.#drafts()]).then(([opened, drafts]) => ({
      opened,
      drafts,
    }));
    try {
      return await Promise.race([found, delay(TIMEOUT_MS).then(() => NONE)]);
    } catch {
      return NONE;
    }
  }

  /** The code for drafts is loaded only when this device has drafts. */
  async #drafts(): Promise<readonly Draft[]> {
    if (!(await hasPersonalData('drafts'))) return [];
    const { Drafts } = await import('../drafts/drafts');
    return this.#injector.get(Drafts).list();
  }
}
