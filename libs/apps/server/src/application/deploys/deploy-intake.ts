import type { Deploy } from '@homeport/apps/contracts';
import type { Member } from '@homeport/identity/server';
import { FairSemaphore, MinimumRate } from '@homeport/platform/server';
import { AppMissing } from '../../domain/registry/apps.errors';
import type { ArchiveLimits } from '../../domain/deploys/archive-limits';
import type { DeployRecord } from '../../domain/deploys/deploy-record';
import { failureOf } from '../../domain/deploys/deploy-failure';
import { DeployInterrupted, DeploysBusy } from '../../domain/deploys/deploys.errors';
import type { PlatformDomain } from '../../domain/platform-domain';
import { untilAborted } from '../until-aborted';
import type { SpoolFolder } from '../blobs/spool-folder';
import type { UploadSpool } from '../blobs/upload-spool';
import type { ArchiveFile } from './archive-reader.port';
import type { DeployRepository } from './deploy-repository.port';
import { Lease } from './lease';
import { ProcessingLimit, type ProcessingLimits } from './processing-limit';
import type { SiteUnpacker } from './site-unpacker';
import { UploadCapacity, type UploadShare } from './upload-capacity';
import { type DeployUpload, receiveUpload } from './upload-receiver';

export type { DeployUpload } from './upload-receiver';

const RECEIVED_AT_ONCE = 64;
const UPLOADS_OF_ONE = 8;
/** Of archives as large as one may be: how many the disk has to hold, and how many of one organization. */
const ARCHIVES_ON_DISK = 16;
const ARCHIVES_OF_ONE = 4;
/** Each takes memory, a processor and connections to the storage. */
const PROCESSED_AT_ONCE = 8;
const PROCESSED_OF_ONE = 2;
const QUEUE_LIMIT_MS = 10 * 60 * 1_000;
/** For 500 MiB unpacked, and as many times that as more is allowed. */
const PROCESSING_LIMIT_MS = 15 * 60 * 1_000;
const USUAL_INFLATED_BYTES = 500 * 1024 * 1024;
/** Longer than storage may take to answer. */
const NO_PROGRESS_LIMIT_MS = 3 * 60 * 1_000;

export interface IntakeTools {
  readonly deploys: DeployRepository;
  readonly unpacker: SiteUnpacker;
  readonly platform: PlatformDomain;
  readonly limits: ArchiveLimits;
  readonly spools: Pick<SpoolFolder, 'make'>;
  /** The least rate of an upload, for tests. */
  readonly rate?: () => MinimumRate;
  /** For tests. */
  readonly processing?: Partial<ProcessingLimits>;
}

/** One upload while it is worked on. */
interface Work {
  readonly member: Member;
  readonly id: string;
  readonly upload: DeployUpload;
  readonly share: UploadShare;
  /** Aborted when the lease is lost or the process stops. */
  readonly signal: AbortSignal;
}

/**
 * Receives uploads and makes deploys of them. Receiving is cheap and happens for many at once; processing is not, and
 * organizations take turns.
 */
export class DeployIntake {
  readonly #capacity: UploadCapacity;
  readonly #processing = new FairSemaphore({
    permits: PROCESSED_AT_ONCE,
    permitsPerOwner: PROCESSED_OF_ONE,
    waitLimitMs: QUEUE_LIMIT_MS,
    rejection: () => new DeploysBusy(),
  });
  readonly #stopping = new AbortController();

  constructor(private readonly tools: IntakeTools) {
    const { sentBytes } = tools.limits;
    this.#capacity = new UploadCapacity({
      receiving: RECEIVED_AT_ONCE,
      ofOne: UPLOADS_OF_ONE,
      bytes: ARCHIVES_ON_DISK * sentBytes,
      bytesOfOne: ARCHIVES_OF_ONE * sentBytes,
    });
  }

  /**
   * Makes a deploy of an upload; every outcome is recorded with it. A client that leaves once all of its bytes are here
   * changes nothing any more.
   * @throws {AppMissing} @throws {ArchiveRejected} @throws {DeploysBusy} @throws {DeployInterrupted}
   * @throws {DeployTimeout} @throws {RequestTooSlow} @throws {UploadBrokenOff}
   */
  async upload(member: Member, appId: string, upload: DeployUpload): Promise<Deploy> {
    const share = this.#capacity.admit(member.organization, Math.min(upload.size ?? 0, this.tools.limits.sentBytes));
    try {
      const { id } = await this.tools.deploys.begin(member, appId);
      return this.tools.platform.describeDeploy(await this.#keep({ member, id, upload, share }));
    } finally {
      share.release();
    }
  }

  /** Ends all work with `DeployInterrupted`, so that the process can stop and leaves no files. */
  stop(): void {
    this.#stopping.abort(new DeployInterrupted('The server is being restarted. Upload the archive again.'));
  }

  async #keep(work: Omit<Work, 'signal'>): Promise<DeployRecord> {
    const { member, id } = work;
    const lease = new Lease(this.tools.deploys, id);
    const signal = AbortSignal.any([lease.signal, this.#stopping.signal]);
    try {
      return await this.#make({ ...work, signal });
    } catch (thrown) {
      const error = await this.#reasonOf(signal.aborted ? signal.reason : named(thrown), member, id);
      const { failure, problems } = failureOf(error);
      // When this cannot be stored, the lease expires, and the deploy fails then.
      await this.tools.deploys.fail(id, failure, problems).catch(() => undefined);
      throw error;
    } finally {
      lease.end();
    }
  }

  /** Deleting an app ends the uploads to it. */
  async #reasonOf(error: unknown, { organization }: Member, id: string): Promise<unknown> {
    if (!(error instanceof DeployInterrupted)) return error;
    const deploy = await this.tools.deploys.find(organization, id).catch(() => undefined);
    return deploy?.status === 'archived' ? new AppMissing() : error;
  }

  async #make(work: Work): Promise<DeployRecord> {
    const { member, upload, share, signal } = work;
    const { limits, spools, rate = () => new MinimumRate() } = this.tools;
    const spool = await spools.make();
    try {
      const archive = await receiveUpload(upload, { limits, spool, share, signal, rate: rate() });
      const end = await this.#processing.acquire(member.organization, signal);
      try {
        return await this.#process(work, archive, spool);
      } finally {
        end();
      }
    } finally {
      await spool.close();
    }
  }

  async #process(
    { member, id, upload, signal }: Work,
    archive: ArchiveFile,
    spool: UploadSpool,
  ): Promise<DeployRecord> {
    const { deploys, unpacker } = this.tools;
    await deploys.beginProcessing(id);
    const limit = new ProcessingLimit(this.#limits());
    const onProgress = () => limit.progress();
    const ending = AbortSignal.any([signal, limit.signal]);
    const { organization } = member;
    try {
      const unpacking = {
        organization,
        archive: { ...archive, onRead: onProgress },
        spool,
        signal: ending,
        onProgress,
        pauseIdle: () => limit.pauseIdle(),
      };
      // A library that never settles, and does not hear the signal either, must not hold the turn.
      const site = await untilAborted(unpacker.unpack(unpacking), ending);
      return await deploys.finish(member, id, { ...site, isActivated: upload.isActivated });
    } finally {
      limit.end();
    }
  }

  #limits(): ProcessingLimits {
    const share = Math.max(1, this.tools.limits.inflatedBytes / USUAL_INFLATED_BYTES);
    const { totalMs = PROCESSING_LIMIT_MS * share, idleMs = NO_PROGRESS_LIMIT_MS } = this.tools.processing ?? {};
    return { totalMs, idleMs };
  }
}

const DISK_FAULTS = ['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM', 'EIO', 'ENOENT', 'EMFILE', 'ENFILE'];

/** A disk that cannot be written to is the server's fault, and may be mended; the log has the cause. */
function named(error: unknown): unknown {
  if (!(error instanceof Error && 'code' in error && DISK_FAULTS.includes(String(error.code)))) return error;
  return new DeploysBusy(
    { cause: error },
    'The server cannot store uploads at this moment. Try again in a few minutes.',
  );
}
