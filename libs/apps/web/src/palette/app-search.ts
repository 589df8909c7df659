import { inject, Service } from '@angular/core';
import type { App } from '@homeport/apps/contracts';
import { AuthSession } from '@homeport/identity/web';
import { asHttpProblem, type PaletteItem, type PaletteSource } from '@homeport/platform/web';
import { bestMatches, searchable, queryTerms } from '@homeport/platform/web/on-demand';
import { AppsClient } from '../client/apps-client';
import { hostOf } from '../shared/host-of';

/** The palette is open only briefly, so a list of this age is good enough. */
const CACHE_TTL_MS = 30_000;

interface CachedApps {
  readonly scope: string | undefined;
  readonly at: number;
  readonly apps: Promise<readonly App[]>;
}

/** Finds apps by name and address. */
@Service()
export class AppSearch implements PaletteSource {
  readonly #client = inject(AppsClient);
  readonly #session = inject(AuthSession);
  readonly heading = $localize`Apps`;
  #cached: CachedApps | undefined;

  async find(query: string, limit: number): Promise<readonly PaletteItem[]> {
    const terms = queryTerms(query);
    if (terms.length === 0) return [];
    const found = bestMatches(await this.#apps(), terms, limit, ({ name, url, addresses }) =>
      searchable([name, ...addresses.map((address) => hostOf(address.url)), hostOf(url)].join(' ')),
    );
    return found.map(({ id, name, url }) => ({
      id: `app:${id}`,
      label: name,
      hint: hostOf(url),
      icon: 'apps',
      link: ['/apps', id],
    }));
  }

  #apps(): Promise<readonly App[]> {
    const scope = this.#session.userScope();
    const cached = this.#cached;
    if (cached && cached.scope === scope && Date.now() - cached.at < CACHE_TTL_MS) return cached.apps;
    const apps = this.#client.list().catch((error: unknown) => {
      if (this.#cached?.apps === apps) this.#cached = undefined;
      // A user without an organization has no apps; that is a valid result.
      if (asHttpProblem(error).code === 'identity.organization-required') return [];
      throw error;
    });
    this.#cached = { scope, at: Date.now(), apps };
    return apps;
  }
}
