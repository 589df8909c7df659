import { createHash } from 'node:crypto';
import type { StartedDeploy, UploadedDeploy } from '@homeport/apps/contracts';
import { callAt, url } from '../homeport';
import type { SiteFiles } from './archives';
import type { DeployResponse } from './deploy-client';

export interface Manifest {
  readonly files: Readonly<Record<string, { readonly digest: string; readonly size: number }>>;
  readonly type?: string;
}

export function digestOf(content: string | Uint8Array): string {
  return `sha256:${createHash('sha256').update(content).digest('hex')}`;
}

export function manifestOf(files: SiteFiles): Manifest {
  const described = Object.entries(files).map(([path, content]) => {
    return [path, { digest: digestOf(content), size: Buffer.byteLength(content as string) }] as const;
  });
  return { files: Object.fromEntries(described) };
}

/** Deploys by digest, as one member. */
export class DigestDeployClient {
  /** Digests that were sent and acknowledged. */
  readonly acknowledged: string[] = [];

  /** @param base address of the API. */
  constructor(
    private readonly token: string,
    private readonly base = url,
  ) {}

  /** Uploads what the organization lacks, and finishes the deploy. */
  async deploy(appId: string, files: SiteFiles, query = '', activate = ''): Promise<DeployResponse<UploadedDeploy>> {
    const { status, body } = await this.start(appId, manifestOf(files), { query });
    if (status !== 201) throw new Error(`the manifest was answered with ${status} ${body.code}`);
    await this.uploadMissing(body, files);
    return this.finish(body.id, activate);
  }

  start(
    appId: string,
    manifest: unknown,
    { query = '', headers = {} }: { query?: string; headers?: Record<string, string> } = {},
  ): Promise<DeployResponse<StartedDeploy>> {
    const isRaw = typeof manifest === 'string' || manifest instanceof Uint8Array;
    return this.#call(`/api/apps/${appId}/deploys${query}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: isRaw ? (manifest as string) : JSON.stringify(manifest),
    });
  }

  async uploadMissing({ id, missing }: Pick<StartedDeploy, 'id' | 'missing'>, files: SiteFiles): Promise<void> {
    const contents = new Map(Object.values(files).map((content) => [digestOf(content), content]));
    for (const digest of missing) {
      const { status, body } = await this.upload(id, digest, contents.get(digest) as string);
      if (status !== 204) throw new Error(`a blob was answered with ${status} ${body?.code}`);
      this.acknowledged.push(digest);
    }
  }

  /** The body is null when the response has none. */
  upload(
    id: string,
    digest: string,
    content: NonNullable<RequestInit['body']>,
    headers: Record<string, string> = {},
  ): Promise<DeployResponse<object | null>> {
    const type = { 'content-type': 'application/octet-stream' };
    const address = `/api/deploys/${id}/blobs/${encodeURIComponent(digest)}`;
    return this.#call(address, { method: 'PUT', headers: { ...type, ...headers }, body: content });
  }

  finish(id: string, query = ''): Promise<DeployResponse<UploadedDeploy>> {
    return this.#call(`/api/deploys/${id}/finish${query}`, { method: 'POST' });
  }

  /** Called when a request has begun. */
  protected onRequest(): Promise<void> {
    return Promise.resolve();
  }

  async #call<T>(path: string, more: Parameters<typeof callAt>[2]): Promise<DeployResponse<T>> {
    const [response] = await Promise.all([callAt(this.base, path, { ...more, token: this.token }), this.onRequest()]);
    const body = response.status === 204 ? null : await response.json();
    return { status: response.status, headers: response.headers, body: body as DeployResponse<T>['body'] };
  }
}
