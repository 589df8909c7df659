import { HttpClient } from '@angular/common/http';
import { inject, Service } from '@angular/core';
import type { App, Deploy, DeployDetails, DeployFileList, DeployList } from '@homeport/apps/contracts';
import { bearerInterceptor } from '@homeport/identity/web';
import { responseOf } from '@homeport/platform/web';
import {
  UPLOAD_HEADERS,
  UPLOAD_OPTIONS,
  uploadResponse,
  uploadClient,
  type UploadObserver,
} from '@homeport/platform/web/on-demand';
import { appApiPath } from './app-api-path';

/** Deploys per page. */
const PAGE_SIZE = 100;

export interface DeployBody {
  readonly bytes: Blob;
  readonly type: 'application/zip' | 'application/gzip';
  /** Whether the deploy becomes live when it is ready. */
  readonly activate: boolean;
  /** The note shown with the deploy; empty for none. */
  readonly message: string;
}

/** Calls the deploys API for the organization in the access token. Every method throws `HttpProblem` on failure. */
@Service()
export class DeploysClient {
  readonly #http = inject(HttpClient);
  readonly #uploads = uploadClient(bearerInterceptor);

  /** Lists one page of deploys, newest first. */
  list(appId: string, cursor?: string | null, signal?: AbortSignal): Promise<DeployList> {
    const query = new URLSearchParams({ limit: String(PAGE_SIZE), ...(cursor && { cursor }) });
    return responseOf(this.#http.get<DeployList>(`${appApiPath(appId)}/deploys?${query}`), signal);
  }

  get(id: string, signal?: AbortSignal): Promise<DeployDetails> {
    return responseOf(this.#http.get<DeployDetails>(deployApiPath(id)), signal);
  }

  /** Lists the files that follow the cursor. */
  files(id: string, cursor: string, signal?: AbortSignal): Promise<DeployFileList> {
    const query = new URLSearchParams({ cursor });
    return responseOf(this.#http.get<DeployFileList>(`${deployApiPath(id)}/files?${query}`), signal);
  }

  /** Deletes a deploy; succeeds when it is already deleted. */
  async delete(id: string): Promise<void> {
    await responseOf(this.#http.delete<null>(deployApiPath(id)));
  }

  /** Removes the address of a branch; succeeds when the branch has none. */
  async removeAlias(appId: string, branch: string): Promise<void> {
    await responseOf(this.#http.delete<null>(`${appApiPath(appId)}/aliases/${encodeURIComponent(branch)}`));
  }

  send(
    appId: string,
    { bytes, type, activate, message }: DeployBody,
    watch: Omit<UploadObserver, 'size'>,
  ): Promise<Deploy> {
    const query = new URLSearchParams({ activate: String(activate), ...(message && { message }) });
    const address = `${appApiPath(appId)}/deploys?${query}`;
    const headers = { ...UPLOAD_HEADERS, 'Content-Type': type };
    const call = this.#uploads.post<Deploy>(address, bytes, { headers, ...UPLOAD_OPTIONS });
    return uploadResponse(call, { ...watch, size: bytes.size });
  }

  activate(id: string): Promise<App> {
    return responseOf(this.#http.post<App>(`${deployApiPath(id)}/activate`, null));
  }

  /** Rolls back; the API rejects the call unless `from` is live and `to` is its rollback target. */
  rollBack(appId: string, seen: { readonly from: string; readonly to: string }): Promise<App> {
    return responseOf(this.#http.post<App>(`${appApiPath(appId)}/rollback?${new URLSearchParams(seen)}`, null));
  }
}

function deployApiPath(id: string): string {
  return `/api/deploys/${encodeURIComponent(id)}`;
}
