import { text } from 'node:stream/consumers';
import type { DeployActivation, UploadedDeploy } from '@homeport/apps/contracts';
import { isRuleFile } from '@homeport/hosting/contracts';
import type { Member } from '@homeport/identity/contracts';
import { Semaphore } from '@homeport/kernel';
import { blobKey, BlobStorageFailed, type BlobStore } from '@homeport/platform/server/blobs';
import type { BlobLedger } from '../../blobs/application/blob-ledger.port';
import type { AppPresenter } from '../../shared/application/app-presenter';
import type { ActivationPolicy } from '../domain/activation';
import { deployContentType } from '../domain/deploy-content-type';
import type { DeployRecord } from '../domain/deploy-record';
import {
  BlobsMissing,
  DeployInterrupted,
  DeployNotFound,
  DeployNotUploading,
  DeploysUnavailable,
} from '../domain/deploys.errors';
import { formatDigest, type ManifestFile } from '../domain/site-manifest';
import type { DeployRepository, ReadyDeploy } from './deploy-repository.port';
import type { FinishDeploy } from './finish-deploy';
import type { ManifestRepository } from './manifest-repository.port';
import { isReadableRuleFile, parseRules } from './site-rule-files';
import { findStored } from './stored-blobs';

export interface FinishDeployByDigestDependencies {
  readonly deploys: DeployRepository;
  readonly manifests: ManifestRepository;
  readonly ledger: BlobLedger;
  readonly blobs: BlobStore;
  readonly finishDeploy: FinishDeploy;
  readonly presenter: AppPresenter;
  /** Aborted when the process stops. */
  readonly stopping: AbortSignal;
}

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
   * @throws {DeploysUnavailable}
   */
  async execute(member: Member, deployId: string, activation: ActivationPolicy): Promise<UploadedDeploy> {
    const { organization } = member;
    const { manifests, stopping } = this.dependencies;
    const deploy = await this.#find(organization, deployId);
    if (deploy.status === 'ready') return this.#present(deploy, activationOf(deploy));
    const files = deploy.status === 'uploading' ? await manifests.pendingFiles(deploy.id) : undefined;
    if (!files) throw new DeployNotUploading();
    await manifests.renew(deploy.id);
    return this.#slots.run(() => this.#finish(member, deploy.id, { files, activation }), {
      owner: organization,
      signal: stopping,
    });
  }

  async #finish(
    member: Member,
    id: string,
    { files, activation }: { readonly files: readonly ManifestFile[]; readonly activation: ActivationPolicy },
  ): Promise<UploadedDeploy> {
    const site = await this.#siteOf(member.organization, files);
    try {
      const finished = await this.dependencies.finishDeploy.execute(member, id, { ...site, activation });
      return this.#present(finished.deploy, finished.activation);
    } catch (error) {
      if (!(error instanceof DeployInterrupted)) throw error;
      // Another request may have finished the deploy meanwhile.
      const deploy = await this.#find(member.organization, id);
      if (deploy.status !== 'ready') throw error;
      return this.#present(deploy, activationOf(deploy));
    }
  }

  /** @returns the pending files, linked to their blobs, and the rules of the site. */
  async #siteOf(
    organization: string,
    pending: readonly ManifestFile[],
  ): Promise<Pick<ReadyDeploy, 'files' | 'rules' | 'problems'>> {
    const digests = [...new Set(pending.map(({ digest }) => digest))];
    const ids = await findStored(this.dependencies.ledger, organization, pending);
    const missing = digests.filter((digest) => !ids.has(digest));
    if (missing.length > 0) throw new BlobsMissing(missing.map(formatDigest));
    const texts = new Map<string, string>();
    for (const file of pending.filter(isReadableRuleFile)) {
      texts.set(file.path, await this.#textOf(organization, file.digest, ids.get(file.digest) as string));
    }
    const files = pending.map((file) => ({
      ...file,
      contentType: deployContentType(file.path),
      blobId: isRuleFile(file.path) ? undefined : ids.get(file.digest),
    }));
    return { files, ...parseRules(texts, pending) };
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
