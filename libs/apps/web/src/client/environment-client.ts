import { HttpClient } from '@angular/common/http';
import { inject, Service } from '@angular/core';
import type { EnvironmentVariable, EnvironmentVariableList, SetVariable } from '@homeport/apps/contracts';
import { responseOf } from '@homeport/platform/web';
import { appApiPath } from './app-api-path';

/** Calls the API of an app's variables. Every method throws `HttpProblem` on failure. */
@Service()
export class EnvironmentClient {
  readonly #http = inject(HttpClient);

  /** Lists the variables, sorted by name. The API never returns their values. */
  async list(appId: string, signal?: AbortSignal): Promise<readonly EnvironmentVariable[]> {
    return (await responseOf(this.#http.get<EnvironmentVariableList>(environmentPath(appId)), signal)).items;
  }

  /** Adds or replaces a variable. */
  set(appId: string, name: string, variable: Required<SetVariable>): Promise<EnvironmentVariable> {
    return responseOf(this.#http.put<EnvironmentVariable>(variablePath(appId, name), variable));
  }

  /** Succeeds also for a variable that does not exist. */
  async remove(appId: string, name: string): Promise<void> {
    await responseOf(this.#http.delete(variablePath(appId, name)));
  }
}

function environmentPath(appId: string): string {
  return `${appApiPath(appId)}/environment`;
}

function variablePath(appId: string, name: string): string {
  return `${environmentPath(appId)}/${encodeURIComponent(name)}`;
}
