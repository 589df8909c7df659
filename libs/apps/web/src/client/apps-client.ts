import { HttpClient } from '@angular/common/http';
import { inject, Service } from '@angular/core';
import type { App, AppDeletion, AppList, Hosting, RegisterApp, SubdomainAvailability } from '@homeport/apps/contracts';
import { responseOf } from '@homeport/platform/web';
import { appApiPath } from './app-api-path';

/** Calls the apps API for the organization in the access token. Every method throws `HttpProblem` on failure. */
@Service()
export class AppsClient {
  readonly #http = inject(HttpClient);

  /** Lists all apps, newest first. */
  async list(signal?: AbortSignal): Promise<readonly App[]> {
    const apps: App[] = [];
    let cursor: string | null = null;
    do {
      const query: string = cursor === null ? '' : `?${new URLSearchParams({ cursor })}`;
      const page: AppList = await responseOf(this.#http.get<AppList>(`/api/apps${query}`), signal);
      apps.push(...page.items);
      cursor = page.next_cursor;
    } while (cursor !== null);
    return apps;
  }

  get(id: string, signal?: AbortSignal): Promise<App> {
    return responseOf(this.#http.get<App>(appApiPath(id)), signal);
  }

  /** @param attempt idempotency key: the same for every retry of one registration. */
  register(app: RegisterApp, attempt: string): Promise<App> {
    return responseOf(this.#http.post<App>('/api/apps', app, { headers: { 'Idempotency-Key': attempt } }));
  }

  /** Checks whether a name is available. This is a hint; only registration reserves the name. */
  availability(candidate: string, signal?: AbortSignal): Promise<SubdomainAvailability> {
    const address = `/api/subdomains/${encodeURIComponent(candidate)}`;
    return responseOf(this.#http.get<SubdomainAvailability>(address), signal);
  }

  /** Reads the hosting settings that all apps share. */
  hosting(signal?: AbortSignal): Promise<Hosting> {
    return responseOf(this.#http.get<Hosting>('/api/hosting'), signal);
  }

  delete(id: string): Promise<AppDeletion> {
    return responseOf(this.#http.delete<AppDeletion>(appApiPath(id)));
  }

  retryDns(id: string): Promise<App> {
    return responseOf(this.#http.post<App>(`${appApiPath(id)}/dns/retry`, null));
  }
}
