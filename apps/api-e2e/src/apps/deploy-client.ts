import type { App, AppType, DeployDetails, DeployFileList, DeployList, UploadedDeploy } from '@homeport/apps/contracts';
import { callAt, callJson, url } from '../homeport';
import { type SiteFiles, tarGz } from './archives';

interface Problem {
  readonly code?: string;
  readonly errors?: readonly { field: string; reason: string }[];
}

export interface DeployResponse<T> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: T & Problem;
}

/** The deploy calls of one member. */
export class DeployClient {
  #apps = 0;

  /** @param base address of the API. */
  constructor(
    readonly token: string,
    private readonly base = url,
  ) {}

  async register(label = 'Deploy', type: AppType = 'static'): Promise<App> {
    const name = `${label} ${process.pid} ${Date.now()} ${this.#apps++}`;
    if (this.base === url)
      return (await (await callJson('/api/apps', this.token, 'POST', { name, type })).json()) as App;
    const headers = { 'content-type': 'application/json' };
    return (await this.#call<App>('/api/apps', { method: 'POST', headers, body: JSON.stringify({ name, type }) })).body;
  }

  async deploy(appId: string, files: SiteFiles, query = ''): Promise<DeployResponse<UploadedDeploy>> {
    return this.send(appId, await tarGz(files), { query });
  }

  send(
    appId: string,
    body: RequestInit['body'],
    { type = 'application/gzip', query = '' }: { type?: string; query?: string } = {},
  ): Promise<DeployResponse<UploadedDeploy>> {
    return this.#call(`/api/apps/${appId}/deploys${query}`, {
      method: 'POST',
      headers: { 'content-type': type },
      body,
    });
  }

  list(appId: string, query = ''): Promise<DeployResponse<DeployList>> {
    return this.#call(`/api/apps/${appId}/deploys${query}`);
  }

  get(id: string): Promise<DeployResponse<DeployDetails>> {
    return this.#call(`/api/deploys/${id}`);
  }

  files(id: string, query = ''): Promise<DeployResponse<DeployFileList>> {
    return this.#call(`/api/deploys/${id}/files${query}`);
  }

  /** The body is null when the response has none. */
  remove(id: string): Promise<DeployResponse<object | null>> {
    return this.#call(`/api/deploys/${id}`, { method: 'DELETE' });
  }

  activate(id: string): Promise<DeployResponse<App>> {
    return this.#call(`/api/deploys/${id}/activate`, { method: 'POST' });
  }

  rollBack(appId: string, query = ''): Promise<DeployResponse<App>> {
    return this.#call(`/api/apps/${appId}/rollback${query}`, { method: 'POST' });
  }

  /** The body is null when the response has none. */
  releaseAlias(appId: string, branch: string): Promise<DeployResponse<object | null>> {
    return this.#call(`/api/apps/${appId}/aliases/${encodeURIComponent(branch)}`, { method: 'DELETE' });
  }

  app(id: string): Promise<DeployResponse<App>> {
    return this.#call(`/api/apps/${id}`);
  }

  delete(appId: string): Promise<DeployResponse<{ archived_deploys: number }>> {
    return this.#call(`/api/apps/${appId}`, { method: 'DELETE' });
  }

  async #call<T>(path: string, more: Parameters<typeof callAt>[2] = {}): Promise<DeployResponse<T>> {
    const response = await callAt(this.base, path, { ...more, token: this.token });
    const body = response.status === 204 ? null : await response.json();
    return { status: response.status, headers: response.headers, body: body as T & Problem };
  }
}
