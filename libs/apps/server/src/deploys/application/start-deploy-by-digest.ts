import { gunzip } from 'node:zlib';
import { promisify } from 'node:util';
import { buffer } from 'node:stream/consumers';
import type { DeploySource, StartedDeploy } from '@homeport/apps/contracts';
import { isRuleFile } from '@homeport/hosting/contracts';
import type { Member } from '@homeport/identity/contracts';
import { InvalidRequest, PayloadTooLarge, Semaphore } from '@homeport/kernel';
import { MinimumRate } from '@homeport/kernel/node';
import type { BlobLedger } from '../../blobs/application/blob-ledger.port';
import { AppNotFound } from '../../registry/domain/apps.errors';
import type { AppRepository } from '../../registry/application/app-repository.port';
import type { AppRecord } from '../../registry/domain/app-record';
import type { AppPresenter } from '../../shared/application/app-presenter';
import { ArchiveRejected } from '../domain/archive.errors';
import type { ArchiveLimits } from '../domain/archive-limits';
import { deployContentType } from '../domain/deploy-content-type';
import { DeploysUnavailable } from '../domain/deploys.errors';
import {
  filesToPublish,
  formatDigest,
  type ManifestFile,
  maxManifestBytes,
  parseManifest,
  type SiteManifest,
} from '../domain/site-manifest';
import { deployFailureOf } from './deploy-failure';
import type { DeployRepository } from './deploy-repository.port';
import { type IncomingBody, receiveBody } from './incoming-body';
import type { DividedManifest, ManifestRepository } from './manifest-repository.port';
import { findStored } from './stored-blobs';
import { UploadCapacity } from './upload-capacity';

/** An incoming manifest. */
export interface ManifestUpload extends IncomingBody {
  readonly isCompressed: boolean;
  /** Undefined when the uploader stated nothing. */
  readonly source: DeploySource | undefined;
}

export interface StartDeployByDigestDependencies {
  readonly apps: AppRepository;
  readonly deploys: DeployRepository;
  readonly manifests: ManifestRepository;
  readonly ledger: BlobLedger;
  readonly presenter: AppPresenter;
  readonly limits: ArchiveLimits;
  /** Aborted when the process stops. */
  readonly stopping: AbortSignal;
}

/** Manifests that have arrived in part: in all, and of one organization. Each is held in memory. */
const MAX_MANIFESTS = 8;
const MAX_MANIFESTS_PER_ORGANIZATION = 2;
/** Parsing blocks the event loop, and takes several times the memory of the text. */
const PARSING = { permits: 1, waitLimitMs: 30_000, rejection: () => new DeploysUnavailable() };
/** Each is stored for an hour after its last request. */
const MAX_UNFINISHED_PER_ORGANIZATION = 256;

/** Starts a deploy from a manifest of its files, so that the client uploads only what the organization lacks. */
export class StartDeployByDigest {
  readonly #capacity: UploadCapacity;
  readonly #parsing = new Semaphore(PARSING);

  constructor(private readonly dependencies: StartDeployByDigestDependencies) {
    const bytes = maxManifestBytes(dependencies.limits);
    this.#capacity = new UploadCapacity({
      receiving: MAX_MANIFESTS,
      uploadsPerOrganization: MAX_MANIFESTS_PER_ORGANIZATION,
      bytes: MAX_MANIFESTS * bytes,
      bytesPerOrganization: MAX_MANIFESTS_PER_ORGANIZATION * bytes,
    });
  }

  /**
   * Records the deploy with the files that a manifest names. A rejected manifest is recorded as a failed deploy, like a
   * rejected archive.
   * @throws {AppNotFound} @throws {InvalidRequest} @throws {PayloadTooLarge} @throws {ArchiveRejected}
   * @throws {DeploysUnavailable} @throws {DeployInterrupted} @throws {RequestTooSlow} @throws {UploadAborted}
   */
  async execute(member: Member, appId: string, upload: ManifestUpload): Promise<StartedDeploy> {
    const { apps, deploys, manifests, ledger, presenter } = this.dependencies;
    const { organization } = member;
    const app = await apps.find(organization, appId);
    if (!app) throw new AppNotFound();
    if ((await manifests.countUnfinished(organization)) >= MAX_UNFINISHED_PER_ORGANIZATION) throw tooManyUnfinished();
    const manifest = await this.#receive(organization, upload);
    if (manifest.type !== undefined && manifest.type !== app.type) throw wrongType(app.type);
    const files = await this.#filesToPublish(member, app, manifest, upload.source);
    const deploy = await deploys.begin(member, appId, upload.source);
    const digests = [...new Set(files.map(({ digest }) => digest))];
    const stored = await findStored(ledger, organization, files);
    // The roles of the files of a server are known when all of them have arrived.
    const divided = app.type === 'ssr' ? { pending: files, linked: [] } : divide(files, stored);
    await manifests.add(deploy.id, divided);
    const missing = digests.filter((digest) => !stored.has(digest)).map(formatDigest);
    return { ...presenter.presentDeploy(deploy), missing };
  }

  async #filesToPublish(
    member: Member,
    app: Pick<AppRecord, 'id' | 'type'>,
    manifest: SiteManifest,
    source: DeploySource | undefined,
  ): Promise<readonly ManifestFile[]> {
    const { deploys, limits } = this.dependencies;
    try {
      return filesToPublish(manifest, limits, app.type);
    } catch (error) {
      if (!(error instanceof ArchiveRejected)) throw error;
      const { id } = await deploys.begin(member, app.id, source);
      const failure = deployFailureOf(error);
      await deploys.fail(id, failure.error, failure.problems);
      throw error;
    }
  }

  async #receive(organization: string, upload: ManifestUpload): Promise<SiteManifest> {
    const { limits, stopping: signal } = this.dependencies;
    const maxBytes = maxManifestBytes(limits);
    const assertSize = (bytes: number) => {
      if (bytes > maxBytes) throw new PayloadTooLarge();
    };
    assertSize(upload.size ?? 0);
    const share = this.#capacity.admit(organization, upload.size ?? 0);
    try {
      const bytes = await receiveBody(upload, { share, rate: new MinimumRate(), signal, assertSize }, (source) =>
        buffer(source),
      );
      return await this.#parsing.run(
        async () => parseManifest(decode(upload.isCompressed ? await inflate(bytes, maxBytes) : bytes)),
        { owner: organization, signal },
      );
    } finally {
      share.release();
    }
  }
}

/** Rule files are pending even when their blobs are stored, because they are read when the deploy is finished. */
function divide(files: readonly ManifestFile[], blobIds: ReadonlyMap<string, string>): DividedManifest {
  const linked: DividedManifest['linked'][number][] = [];
  const pending: ManifestFile[] = [];
  for (const file of files) {
    const blobId = isRuleFile(file.path) ? undefined : blobIds.get(file.digest);
    if (blobId === undefined) pending.push(file);
    else linked.push({ ...file, contentType: deployContentType(file.path), blobId });
  }
  return { linked, pending };
}

/** @throws {PayloadTooLarge} @throws {InvalidRequest} */
async function inflate(bytes: Buffer, maxOutputLength: number): Promise<Buffer> {
  try {
    return await promisify(gunzip)(bytes, { maxOutputLength });
  } catch (error) {
    const isTooLarge = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
    throw isTooLarge ? new PayloadTooLarge() : new InvalidRequest('The manifest is not valid gzip.');
  }
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new InvalidRequest('The manifest is not valid JSON in UTF-8.');
  }
}

function wrongType(type: string): InvalidRequest {
  return new InvalidRequest('The files are for another type of app.', [
    { field: 'type', reason: `The type of the app is ${type}.` },
  ]);
}

function tooManyUnfinished(): DeploysUnavailable {
  return new DeploysUnavailable(
    {},
    `The organization has ${MAX_UNFINISHED_PER_ORGANIZATION} unfinished deploys. Finish or delete some of them.`,
  );
}
