import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import type { AppType, DeployActivation, UploadedDeploy } from '@homeport/apps/contracts';
import type { Member } from '@homeport/identity/contracts';
import { Semaphore } from '@homeport/kernel';
import { blobKey, BlobStorageFailed, type BlobStore } from '@homeport/platform/server/blobs';
import type { BlobLedger } from '../../blobs/application/blob-ledger.port';
import type { AppPresenter } from '../../shared/application/app-presenter';
import type { ActivationPolicy } from '../domain/activation';
import type { DeployRecord } from '../domain/deploy-record';
import {
  BlobsMissing,
  DeployInterrupted,
  DeployNotFound,
  DeployNotUploading,
  DeploysUnavailable,
} from '../domain/deploys.errors';
import { StartFailed } from '../../server-detection/domain/server-detection.errors';
import { formatDigest, type ManifestFile } from '../domain/site-manifest';
import type { AppRepository } from '../../registry/application/app-repository.port';
import { deployFailureOf } from './deploy-failure';
import type { DeployRepository } from './deploy-repository.port';
import type { FinishDeploy } from './finish-deploy';
import type { ManifestRepository } from './manifest-repository.port';
import { assembleSite, isTextNeeded, type Site } from './site-assembly';
import type { StartServer } from './start-server';
import { findStored } from './stored-blobs';

export interface FinishDeployByDigestDependencies {
  readonly apps: Pick<AppRepository, 'find'>;
  readonly deploys: DeployRepository;
  readonly manifests: ManifestRepository;
  readonly ledger: BlobLedger;
  readonly blobs: BlobStore;
  readonly finishDeploy: FinishDeploy;
  readonly startServer: StartServer;
  readonly presenter: AppPresenter;
  /** Aborted when the process stops. */
  readonly stopping: AbortSignal;
}

/** What a deploy is finished with. */
interface Finish {
  readonly files: readonly ManifestFile[];
  /** The type of the app. */
  readonly type: AppType;
  readonly activation: ActivationPolicy;
}

const POLL_MS = 1_000;
/** 20,000 new files take a few hundred milliseconds. */
const SLOTS = {
  permits: 4,
  permitsPerOwner: 2,
  waitLimitMs: 30_000,
  rejection: () => new DeploysUnavailable(),
};

/** Makes a deploy that is uploaded by digest ready. */
export class FinishDeployByDigest {
  readonly #slots = new Semaphore(SLOTS);

  constructor(private readonly dependencies: FinishDeployByDigestDependencies) {}

  /**
   * Finishes the deploy when all of its blobs are stored. Can be repeated: a deploy that is ready stays as it is, with
   * the activation that it got first.
   * @throws {DeployNotFound} @throws {DeployNotUploading} @throws {BlobsMissing} @throws {DeployInterrupted}
   * @throws {DeploysUnavailable} @throws {NoServer} @throws {UnsupportedServerBuild} @throws {StartFailed}
   */
  async execute(member: Member, deployId: string, activation: ActivationPolicy): Promise<UploadedDeploy> {
    const { organization } = member;
    const { apps, manifests } = this.dependencies;
    const deploy = await this.#find(organization, deployId);
    if (deploy.status === 'ready') return this.#present(deploy, activationOf(deploy));
    if (deploy.status === 'starting') return this.#untilStarted(organization, deploy.id);
    const files = deploy.status === 'uploading' ? await manifests.pendingFiles(deploy.id) : undefined;
    const app = await apps.find(organization, deploy.appId);
    if (!files || !app) throw new DeployNotUploading();
    await manifests.renew(deploy.id);
    try {
      return await this.#finish(member, deploy.id, { files, type: app.type, activation });
    } catch (error) {
      if (!(error instanceof DeployInterrupted)) throw error;
      // Another request may have finished the deploy meanwhile, or may be starting its server.
      const { status } = await this.#find(organization, deploy.id);
      if (status !== 'ready' && status !== 'starting') throw error;
      return this.#untilStarted(organization, deploy.id);
    }
  }

  async #finish(member: Member, id: string, { files, type, activation }: Finish): Promise<UploadedDeploy> {
    const { deploys, startServer, finishDeploy, stopping } = this.dependencies;
    const slot = { owner: member.organization, signal: stopping };
    try {
      const site = await this.#slots.run(() => this.#siteOf(member.organization, type, files), slot);
      const ready = { ...site, activation };
      // Takes seconds and little memory, so it needs no slot.
      await startServer.execute(id, ready, stopping);
      const finished = await this.#slots.run(() => finishDeploy.execute(member, id, ready), slot);
      return this.#present(finished.deploy, finished.activation);
    } catch (error) {
      const isRepeatable = type === 'static' || error instanceof BlobsMissing || error instanceof DeployInterrupted;
      if (isRepeatable) throw error;
      const failure = deployFailureOf(error);
      // If the failure cannot be stored, the deploy fails when its lease expires.
      await deploys.fail(id, failure.error, failure.problems).catch(() => undefined);
      throw error;
    }
  }

  /** Waits while another request starts the server of the deploy. */
  async #untilStarted(organization: string, id: string): Promise<UploadedDeploy> {
    for (;;) {
      const deploy = await this.#find(organization, id);
      if (deploy.status === 'ready') return this.#present(deploy, activationOf(deploy));
      if (deploy.status !== 'starting') throw errorOf(deploy);
      await setTimeout(POLL_MS, undefined, { signal: this.dependencies.stopping });
    }
  }

  /** @param files the pending ones; those of an SSR app are all pending. */
  async #siteOf(organization: string, type: AppType, files: readonly ManifestFile[]): Promise<Site> {
    const digests = [...new Set(files.map(({ digest }) => digest))];
    const blobIds = await findStored(this.dependencies.ledger, organization, files);
    const missing = digests.filter((digest) => !blobIds.has(digest));
    if (missing.length > 0) throw new BlobsMissing(missing.map(formatDigest));
    const texts = new Map<string, string>();
    for (const file of files.filter((each) => isTextNeeded(type, each))) {
      texts.set(file.path, await this.#textOf(organization, file.digest, blobIds.get(file.digest) as string));
    }
    return assembleSite(type, { files, texts, blobIds, isComplete: type === 'ssr' });
  }

  async #textOf(organization: string, digest: string, id: string): Promise<string> {
    const { blobs, stopping: signal } = this.dependencies;
    const body = await blobs.open(blobKey(organization, digest, id), 'identity', { signal });
    if (!body) throw new BlobStorageFailed();
    return text(body);
  }

  async #find(organization: string, id: string): Promise<DeployRecord> {
    const deploy = await this.dependencies.deploys.find(organization, id);
    if (!deploy) throw new DeployNotFound();
    return deploy;
  }

  #present(deploy: DeployRecord, activation: DeployActivation): UploadedDeploy {
    return { ...this.dependencies.presenter.presentDeploy(deploy), activation };
  }
}

/** The activation of a deploy that has become ready before. */
function activationOf({ firstLiveAt, isHeldBack }: DeployRecord): DeployActivation {
  if (firstLiveAt !== undefined) return { activated: true, reason: null };
  return { activated: false, reason: isHeldBack ? 'no-start-page' : 'not-requested' };
}

/** Why a deploy failed, as the request that started its server reports it. */
function errorOf({ error }: DeployRecord): Error {
  if (error?.code === 'start-failed') return new StartFailed(error.message, error.log ?? []);
  return new DeployInterrupted(error?.message);
}
