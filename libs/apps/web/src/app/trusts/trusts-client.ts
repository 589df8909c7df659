import { HttpClient } from '@angular/common/http';
import { inject, Service } from '@angular/core';
import type { Trust, TrustList } from '@homeport/identity/contracts';
import { responseOf } from '@homeport/platform/web';
import { appApiPath } from '../../client/app-api-path';
import type { NewTrust } from './pipeline';

/** Calls the API of an app's trusts. Every method throws `HttpProblem` on failure. */
@Service()
export class TrustsClient {
  readonly #http = inject(HttpClient);

  async list(appId: string, signal?: AbortSignal): Promise<readonly Trust[]> {
    return (await responseOf(this.#http.get<TrustList>(trustsPath(appId)), signal)).items;
  }

  create(appId: string, trust: NewTrust): Promise<Trust> {
    return responseOf(this.#http.post<Trust>(trustsPath(appId), trust));
  }

  /** Succeeds also for a trust that does not exist. */
  async delete(appId: string, id: string): Promise<void> {
    await responseOf(this.#http.delete(`${trustsPath(appId)}/${encodeURIComponent(id)}`));
  }
}

function trustsPath(appId: string): string {
  return `${appApiPath(appId)}/trusts`;
}
