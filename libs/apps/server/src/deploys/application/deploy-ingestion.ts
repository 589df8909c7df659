import type { UploadedDeploy } from '@homeport/apps/contracts';
import type { Member } from '@homeport/identity/contracts';
import { Semaphore } from '@homeport/kernel';
import { MinimumRate } from '@homeport/kernel/node';
import type { AppType } from '@homeport/apps/contracts';
import type { AppRepository } from '../../registry/application/app-repository.port';
import { AppNotFound } from '../../registry/domain/apps.errors';
import type { ArchiveLimits } from '../domain/archive-limits';
import { deployFailureOf } from './deploy-failure';
import { DeployInterrupted, DeploysUnavailable } from '../domain/deploys.errors';
import type { AppPresenter } from '../../shared/application/app-presenter';
import { translateDiskError } from './disk-errors';
import { untilAborted } from './until-aborted';
import type { SpoolFolder } from '../../blobs/application/spool-folder';
import type { UploadSpool } from '../../blobs/application/upload-spool';
import type { ArchiveFile } from './archive-reader.port';
import type { DeployRepository } from './deploy-repository.port';
import { DeployLease } from './deploy-lease';
import type { FinishDeploy, FinishedDeploy } from './finish-deploy';
import { ProcessingLimit, type ProcessingLimits } from './processing-limit';
import type { SiteUnpacker } from './site-unpacker';
import type { StartServer } from './start-server';
import { UploadCapacity, type UploadReservation } from './upload-capacity';
import { type ArchiveUpload, receiveUpload } from './upload-receiver';

export type { ArchiveUpload } from './upload-receiver';

const MAX_CONCURRENT_UPLOADS = 64;
const MAX_UPLOADS_PER_ORGANIZATION = 8;
/** Disk space in archives of maximum size: in total, and for one organization. */
const ARCHIVES_ON_DISK = 16;
const ARCHIVES_PER_ORGANIZATION = 4;
/** Each takes memory, CPU time and connections to the storage. */
const MAX_CONCURRENT_PROCESSING = 8;
const MAX_PROCESSING_PER_ORGANIZATION = 2;
const QUEUE_TIMEOUT_MS = 10 * 60 * 1_000;
/** For 500 MiB unpacked; increases in proportion to a higher limit. */
const PROCESSING_TIMEOUT_MS = 15 * 60 * 1_000;
const BASELINE_UNPACKED_BYTES = 500 * 1024 * 1024;
/** Longer than storage may take to respond. */
const IDLE_TIMEOUT_MS = 3 * 60 * 1_000;

export interface DeployIngestionDependencies {
  readonly apps: Pick<AppRepository, 'find'>;
  readonly deploys: DeployRepository;
  readonly finishDeploy: FinishDeploy;
  readonly startServer: StartServer;
  readonly unpacker: SiteUnpacker;
  readonly presenter: AppPresenter;
  readonly limits: ArchiveLimits;
  readonly spools: Pick<SpoolFolder, 'createSpool'>;
  /** Aborted by `stop`; other parts of the process may listen to it. */
  readonly stopping?: AbortController;
  /** The minimum rate of an upload, for tests. */
  readonly rate?: () => MinimumRate;
  /** For tests. */
  readonly processing?: Partial<ProcessingLimits>;
}

/** One upload in progress. */
interface UploadWork {
  readonly member: Member;
  readonly id: string;
  /** The type of the app. */
  readonly type: AppType;
  readonly upload: ArchiveUpload;
  readonly reservation: UploadReservation;
  /** Aborted when the lease is lost or the process stops. */
  readonly signal: AbortSignal;
}

/**
 * Receives uploads and creates deploys from them. Many uploads are received at once, because that is cheap; processing
 * is expensive, so it is limited and organizations take turns.
 */
export class DeployIngestion {
  readonly #capacity: UploadCapacity;
  readonly #processing = new Semaphore({
    permits: MAX_CONCURRENT_PROCESSING,
    permitsPerOwner: MAX_PROCESSING_PER_ORGANIZATION,
    waitLimitMs: QUEUE_TIMEOUT_MS,
    rejection: () => new DeploysUnavailable(),
  });
  readonly #stopping: AbortController;

  constructor(private readonly dependencies: DeployIngestionDependencies) {
    const { archiveBytes } = dependencies.limits;
    this.#stopping = dependencies.stopping ?? new AbortController();
    this.#capacity = new UploadCapacity({
      receiving: MAX_CONCURRENT_UPLOADS,
      uploadsPerOrganization: MAX_UPLOADS_PER_ORGANIZATION,
      bytes: ARCHIVES_ON_DISK * archiveBytes,
      bytesPerOrganization: ARCHIVES_PER_ORGANIZATION * archiveBytes,
    });
  }

  /**
   * Creates a deploy from an upload and records the outcome. A client that disconnects after its last byte has arrived
   * does not interrupt the deploy.
   * @throws {AppNotFound} @throws {ArchiveRejected} @throws {DeploysUnavailable} @throws {DeployInterrupted}
   * @throws {DeployTimeout} @throws {RequestTooSlow} @throws {UploadAborted} @throws {NoServer}
   * @throws {UnsupportedServerBuild} @throws {StartFailed}
   */
  async upload(member: Member, appId: string, upload: ArchiveUpload): Promise<UploadedDeploy> {
    const reservation = this.#capacity.admit(
      member.organization,
      Math.min(upload.size ?? 0, this.dependencies.limits.archiveBytes),
    );
    try {
      const { apps, deploys } = this.dependencies;
      const app = await apps.find(member.organization, appId);
      if (!app) throw new AppNotFound();
      const { id } = await deploys.begin(member, appId, upload.source);
      const { deploy, activation } = await this.#run({ member, id, type: app.type, upload, reservation });
      return { ...this.dependencies.presenter.presentDeploy(deploy), activation };
    } finally {
      reservation.release();
    }
  }

  /** Aborts all uploads with `DeployInterrupted`, so that the process can stop and leaves no files. */
  stop(): void {
    this.#stopping.abort(new DeployInterrupted('The server is being restarted. Upload the archive again.'));
  }

  async #run(work: Omit<UploadWork, 'signal'>): Promise<FinishedDeploy> {
    const { member, id } = work;
    const lease = new DeployLease(this.dependencies.deploys, id);
    const signal = AbortSignal.any([lease.signal, this.#stopping.signal]);
    try {
      return await this.#receiveAndProcess({ ...work, signal });
    } catch (thrown) {
      const error = await this.#errorFor(signal.aborted ? signal.reason : translateDiskError(thrown), member, id);
      const failure = deployFailureOf(error);
      // If the failure cannot be stored, the deploy fails when its lease expires.
      await this.dependencies.deploys.fail(id, failure.error, failure.problems).catch(() => undefined);
      throw error;
    } finally {
      lease.stop();
    }
  }

  /** Returns `AppNotFound` instead of `DeployInterrupted` when the deletion of the app interrupted the upload. */
  async #errorFor(error: unknown, { organization }: Member, id: string): Promise<unknown> {
    if (!(error instanceof DeployInterrupted)) return error;
    const deploy = await this.dependencies.deploys.find(organization, id).catch(() => undefined);
    return deploy?.status === 'archived' ? new AppNotFound() : error;
  }

  async #receiveAndProcess(work: UploadWork): Promise<FinishedDeploy> {
    const { member, upload, reservation, signal } = work;
    const { limits, spools, rate = () => new MinimumRate() } = this.dependencies;
    const spool = await spools.createSpool();
    try {
      const archive = await receiveUpload(upload, { limits, spool, share: reservation, signal, rate: rate() });
      const processArchive = () => this.#process(work, archive, spool);
      return await this.#processing.run(processArchive, { owner: member.organization, signal });
    } finally {
      await spool.close();
    }
  }

  async #process(
    { member, id, type, upload, signal }: UploadWork,
    archive: ArchiveFile,
    spool: UploadSpool,
  ): Promise<FinishedDeploy> {
    const { deploys, finishDeploy, unpacker, startServer } = this.dependencies;
    await deploys.beginProcessing(id);
    const limit = new ProcessingLimit(this.#limits());
    const onProgress = () => limit.progress();
    const processingSignal = AbortSignal.any([signal, limit.signal]);
    const { organization } = member;
    try {
      const unpacking = {
        organization,
        archive: { ...archive, appType: type, onRead: onProgress },
        spool,
        signal: processingSignal,
        onProgress,
        pauseIdle: () => limit.pauseIdle(),
      };
      // A library that never settles and ignores the signal must not keep the processing slot.
      const site = await untilAborted(unpacker.unpack(unpacking), processingSignal);
      const ready = { ...site, activation: upload.activation };
      await startServer.execute(id, ready, processingSignal);
      return await finishDeploy.execute(member, id, ready);
    } finally {
      limit.end();
    }
  }

  #limits(): ProcessingLimits {
    const scale = Math.max(1, this.dependencies.limits.unpackedBytes / BASELINE_UNPACKED_BYTES);
    const { totalMs = PROCESSING_TIMEOUT_MS * scale, idleMs = IDLE_TIMEOUT_MS } = this.dependencies.processing ?? {};
    return { totalMs, idleMs };
  }
}
