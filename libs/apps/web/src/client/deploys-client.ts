import { HttpClient } from '@angular/common/http';
import { inject, Service } from '@angular/core';
import type { App, Deploy, DeployDetails, DeployFileList, DeployList } from '@homeport/apps/contracts';
import { bearerInterceptor } from '@homeport/identity/web';
import {
  responseOf,
  UPLOAD_HEADERS,
  UPLOAD_OPTIONS,
  uploadResponse,
  uploadClient,
  type UploadObserver,
} from '@homeport/platform/web';
import { appApiPath } from './app-api-path';

/** How many deploys are read at once. */
const PAGE_SIZE = 20;

export interface DeployBody {
  readonly bytes: Blob;
  readonly type: 'application/zip' | 'application/gzip';
  /** Whether it becomes live once it is ready. */
  readonly activate: boolean;
}

/** The deploy calls of the API, for the organization of the token. Each throws an `HttpProblem` on failure. */
@Service()
export class DeploysClient {
  readonly #http = inject(HttpClient);
  readonly #uploads = uploadClient(bearerInterceptor);

  /** Newest first, a page at a time. */
  list(appId: string, cursor?: string | null, signal?: AbortSignal): Promise<DeployList> {
    const query = new URLSearchParams({ limit: String(PAGE_SIZE), ...(cursor && { cursor }) });
    return responseOf(this.#http.get<DeployList>(`${appApiPath(appId)}/deploys?${query}`), signal);
  }

  get(id: string, signal?: AbortSignal): Promise<DeployDetails> {
    return responseOf(this.#http.get<DeployDetails>(deployApiPath(id)), signal);
  }

  /** The files after those that a cursor stands for. */
  files(id: string, cursor: string, signal?: AbortSignal): Promise<DeployFileList> {
    const query = new URLSearchParams({ cursor });
    return responseOf(this.#http.get<DeployFileList>(`${deployApiPath(id)}/files?${query}`), signal);
  }

  /** Succeeds also when the deploy is already deleted. */
  async delete(id: string): Promise<void> {
    await responseOf(this.#http.delete<null>(deployApiPath(id)));
  }

  send(appId: string, { bytes, type, activate }: DeployBody, watch: Omit<UploadObserver, 'size'>): Promise<Deploy> {
    const address = `${appApiPath(appId)}/deploys${activate ? '' : '?activate=false'}`;
    const headers = { ...UPLOAD_HEADERS, 'Content-Type': type };
    const call = this.#uploads.post<Deploy>(address, bytes, { headers, ...UPLOAD_OPTIONS });
    return uploadResponse(call, { ...watch, size: bytes.size });
  }

  activate(id: string): Promise<App> {
    return responseOf(this.#http.post<App>(`${deployApiPath(id)}/activate`, null));
  }

  /** Makes one deploy live again in the place of another, if it is still so that a roll-back would do that. */
  rollBack(appId: string, seen: { readonly from: string; readonly to: string }): Promise<App> {
    return responseOf(this.#http.post<App>(`${appApiPath(appId)}/rollback?${new URLSearchParams(seen)}`, null));
  }
}

function deployApiPath(id: string): string {
  return `/api/deploys/${encodeURIComponent(id)}`;
}
