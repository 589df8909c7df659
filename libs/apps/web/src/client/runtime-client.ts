import { HttpClient } from '@angular/common/http';
import { inject, Service } from '@angular/core';
import type { LogLine, LogPage, RuntimeDetails } from '@homeport/apps/contracts';
import { responseOf } from '@homeport/platform/web';
import { appApiPath } from './app-api-path';

/** Lines per page. */
export const LOG_PAGE_SIZE = 500;

/** Calls the API of an app's servers. Every method throws `HttpProblem` on failure. */
@Service()
export class RuntimeClient {
  readonly #http = inject(HttpClient);

  get(appId: string, signal?: AbortSignal): Promise<RuntimeDetails> {
    return responseOf(this.#http.get<RuntimeDetails>(`${appApiPath(appId)}/runtime`), signal);
  }

  async restart(appId: string): Promise<void> {
    await responseOf(this.#http.post(`${appApiPath(appId)}/runtime/restart`, null));
  }

  /**
   * Reads one page of the log, oldest line first.
   * @param before the id of the line that the page ends before; undefined for the last lines.
   */
  async lines(appId: string, before?: string, signal?: AbortSignal): Promise<readonly LogLine[]> {
    const query = new URLSearchParams({ limit: String(LOG_PAGE_SIZE), ...(before !== undefined && { before }) });
    return (await responseOf(this.#http.get<LogPage>(`${logPath(appId)}?${query}`), signal)).items;
  }
}

/** The API path of an app's log. */
export function logPath(appId: string): string {
  return `${appApiPath(appId)}/logs`;
}
