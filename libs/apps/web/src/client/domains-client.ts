import { HttpClient } from '@angular/common/http';
import { inject, Service } from '@angular/core';
import type { AddDomain, ChangeDomain, Domain, DomainList } from '@homeport/apps/contracts';
import { responseOf } from '@homeport/platform/web';

/** Calls the domains API for the organization in the access token. Every method throws `HttpProblem` on failure. */
@Service()
export class DomainsClient {
  readonly #http = inject(HttpClient);

  /** Lists the domains, oldest first, with the prices of the account. @param appId only the host names of this app. */
  list(appId?: string, signal?: AbortSignal): Promise<DomainList> {
    const query = appId === undefined ? '' : `?${new URLSearchParams({ app_id: appId })}`;
    return responseOf(this.#http.get<DomainList>(`/api/domains${query}`), signal);
  }

  get(id: string, signal?: AbortSignal): Promise<Domain> {
    return responseOf(this.#http.get<Domain>(domainPath(id)), signal);
  }

  add(domain: AddDomain): Promise<Domain> {
    return responseOf(this.#http.post<Domain>('/api/domains', domain));
  }

  change(id: string, change: ChangeDomain): Promise<Domain> {
    return responseOf(this.#http.patch<Domain>(domainPath(id), change));
  }

  /** Asks the name servers now, at most once in 5 seconds. */
  check(id: string): Promise<Domain> {
    return responseOf(this.#http.post<Domain>(`${domainPath(id)}/check`, null));
  }

  async remove(id: string): Promise<void> {
    await responseOf(this.#http.delete<null>(domainPath(id)));
  }
}

function domainPath(id: string): string {
  return `/api/domains/${encodeURIComponent(id)}`;
}
