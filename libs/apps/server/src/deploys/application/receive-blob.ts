import type { Member } from '@homeport/identity/contracts';
import { MinimumRate } from '@homeport/kernel/node';
import type { BlobStore } from '@homeport/platform/server/blobs';
import type { BlobLedger } from '../../blobs/application/blob-ledger.port';
import { BlobWriter } from '../../blobs/application/blob-writer';
import type { CompressionSlots } from '../../blobs/application/compression-slots';
import type { SpoolFolder } from '../../blobs/application/spool-folder';
import { DigestMismatch } from '../../blobs/domain/blobs.errors';
import type { ArchiveLimits } from '../domain/archive-limits';
import { deployContentType } from '../domain/deploy-content-type';
import { BlobNotInManifest, DeployNotFound, DeployNotUploading } from '../domain/deploys.errors';
import { type ManifestFile, parseDigest } from '../domain/site-manifest';
import { translateDiskError } from './disk-errors';
import type { DeployRepository } from './deploy-repository.port';
import { type IncomingBody, receiveBody } from './incoming-body';
import type { ManifestRepository } from './manifest-repository.port';
import { UploadCapacity, type UploadReservation } from './upload-capacity';

export interface ReceiveBlobDependencies {
  readonly deploys: DeployRepository;
  readonly manifests: ManifestRepository;
  readonly ledger: BlobLedger;
  readonly blobs: BlobStore;
  readonly slots: CompressionSlots;
  readonly spools: Pick<SpoolFolder, 'createSpool'>;
  readonly limits: ArchiveLimits;
  /** Aborted when the process stops. */
  readonly stopping: AbortSignal;
}

const MAX_CONCURRENT_BLOBS = 64;
const MAX_BLOBS_PER_ORGANIZATION = 16;
/** Memory and disk space in files of maximum size: in total, and for one organization. */
const FILES_ON_DISK = 16;
const FILES_PER_ORGANIZATION = 4;

/** Stores one blob of a deploy that is uploaded by digest. */
export class ReceiveBlob {
  readonly #capacity: UploadCapacity;

  constructor(private readonly dependencies: ReceiveBlobDependencies) {
    const { fileBytes } = dependencies.limits;
    this.#capacity = new UploadCapacity({
      receiving: MAX_CONCURRENT_BLOBS,
      uploadsPerOrganization: MAX_BLOBS_PER_ORGANIZATION,
      bytes: FILES_ON_DISK * fileBytes,
      bytesPerOrganization: FILES_PER_ORGANIZATION * fileBytes,
    });
  }

  /**
   * Stores the bytes unless the organization has them. Can be repeated, also after the deploy is ready.
   * @param digest as manifests write it.
   * @throws {DeployNotFound} @throws {BlobNotInManifest} @throws {DeployNotUploading} @throws {DigestMismatch}
   * @throws {DeploysUnavailable} @throws {RequestTooSlow} @throws {UploadAborted}
   */
  async execute(member: Member, deployId: string, digest: string, upload: IncomingBody): Promise<void> {
    const { organization } = member;
    const file = await this.#find(organization, deployId, digest);
    if ((upload.size ?? file.size) !== file.size) throw new DigestMismatch();
    const share = this.#capacity.admit(organization, file.size);
    try {
      await this.#receive(organization, file, upload, share);
    } catch (error) {
      throw translateDiskError(error);
    } finally {
      share.release();
    }
  }

  async #find(organization: string, deployId: string, digest: string): Promise<ManifestFile> {
    const { deploys, manifests } = this.dependencies;
    const deploy = await deploys.find(organization, deployId);
    if (!deploy) throw new DeployNotFound();
    const hex = parseDigest(digest);
    const file = hex === undefined ? undefined : await manifests.findFile(deploy.id, hex);
    if (!file) throw new BlobNotInManifest();
    if (deploy.status === 'uploading') await manifests.renew(deploy.id);
    else if (deploy.status !== 'ready') throw new DeployNotUploading();
    return file;
  }

  async #receive(
    organization: string,
    { path, size, digest }: ManifestFile,
    upload: IncomingBody,
    share: UploadReservation,
  ): Promise<void> {
    const { ledger, blobs, slots, spools, stopping: signal } = this.dependencies;
    const spool = await spools.createSpool();
    const compressing = (isLarge: boolean) => slots.acquire(organization, isLarge, signal);
    const writer = new BlobWriter({ blobs, spool, signal, compressing, onProgress: () => undefined });
    const assertSize = (bytes: number) => {
      if (bytes > size) throw new DigestMismatch();
    };
    try {
      const store = await receiveBody(upload, { share, rate: new MinimumRate(), signal, assertSize }, (source) =>
        writer.receive({ digest, size, contentType: deployContentType(path) }, source),
      );
      const { missing } = await ledger.reserve(organization, [{ digest, size }]);
      // Two clients that upload the same blob at once both store it; neither waits for the other.
      for (const blob of missing) await ledger.markStored([await store(blob)]);
    } finally {
      await spool.close();
    }
  }
}
