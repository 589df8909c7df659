import type { App, AppDeletion, AppList } from '@homeport/apps/contracts';
import { type ApiCall, callAt } from '../homeport';

export interface MemberResponse<T> {
  /** 0 when no response arrived. */
  readonly status: number;
  readonly body: T & { readonly code?: string };
  /** Milliseconds. */
  readonly took: number;
}

/** The app calls of one member to any API. Never rejects; a missing response has the status 0. */
export class MemberClient {
  constructor(
    readonly organization: string,
    readonly token: string,
  ) {}

  register(base: string, name: string, key?: string): Promise<MemberResponse<App>> {
    const headers = { 'content-type': 'application/json', ...(key !== undefined && { 'idempotency-key': key }) };
    return this.#call(base, '/api/apps', { method: 'POST', headers, body: JSON.stringify({ name }) });
  }

  get(base: string, id: string): Promise<MemberResponse<App>> {
    return this.#call(base, `/api/apps/${id}`);
  }

  delete(base: string, id: string): Promise<MemberResponse<AppDeletion>> {
    return this.#call(base, `/api/apps/${id}`, { method: 'DELETE' });
  }

  retry(base: string, id: string): Promise<MemberResponse<App>> {
    return this.#call(base, `/api/apps/${id}/dns/retry`, { method: 'POST' });
  }

  /** @param query including the question mark. */
  list(base: string, query = ''): Promise<MemberResponse<AppList>> {
    return this.#call(base, `/api/apps${query}`);
  }

  /** @throws {Error} when the status is not 200. */
  async apps(base: string): Promise<readonly App[]> {
    const { status, body } = await this.list(base);
    if (status !== 200) throw new Error(`the list answered ${status}`);
    return body.items;
  }

  async #call<T>(base: string, path: string, more: ApiCall = {}): Promise<MemberResponse<T>> {
    const began = performance.now();
    try {
      const response = await callAt(base, path, { ...more, token: this.token });
      const body = (await response.json()) as MemberResponse<T>['body'];
      return { status: response.status, body, took: performance.now() - began };
    } catch {
      return { status: 0, body: {} as MemberResponse<T>['body'], took: performance.now() - began };
    }
  }
}
