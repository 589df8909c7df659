import type { Readable } from 'node:stream';
import type { Deploy } from '@homeport/apps/contracts';
import type { Member } from '@homeport/identity/server';
import { AppMissing } from '../../domain/registry/apps.errors';
import { type ArchiveLimits, demandSentSize } from '../../domain/deploys/archive-limits';
import type { DeployRecord } from '../../domain/deploys/deploy-record';
import { failureOf } from '../../domain/deploys/deploy-failure';
import { DeployInterrupted, DeploysBusy, UploadBrokenOff } from '../../domain/deploys/deploys.errors';
import type { PlatformDomain } from '../../domain/platform-domain';
import type { ArchiveFile, ArchiveFormat } from './archive-reader.port';
import type { DeployRepository } from './deploy-repository.port';
import { FairPlaces } from '../fair-places';
import { Lease } from './lease';
import type { SiteUnpacker } from './site-unpacker';
import { UploadSpool } from '../blobs/upload-spool';

/** What an instance takes on: each of them may put aside as much as an archive may hold. */
const UPLOADS_AT_ONCE = 8;
/** Of them, those of one organization: the others want to deploy too. */
const UPLOADS_OF_EACH = 3;
/** Who takes longer to send an archive would keep others from it. */
const RECEIVE_LIMIT_MS = 60 * 60 * 1_000;

/** An archive on its way. */
export interface DeployUpload {
  readonly format: ArchiveFormat;
  /** Asks for the bytes; nothing is sent before. */
  readonly openBody: () => Readable;
  /** Bytes, when the client declared them. */
  readonly size: number | undefined;
  /** Whether visitors see it as soon as it is ready. */
  readonly isActivated: boolean;
  /** Raised when the client leaves. */
  readonly leaving: AbortSignal;
}

export interface IntakeTools {
  readonly deploys: DeployRepository;
  readonly unpacker: SiteUnpacker;
  readonly platform: PlatformDomain;
  readonly limits: ArchiveLimits;
}

/** Takes uploads in and makes deploys of them. */
export class DeployIntake {
  /** By organization. */
  readonly #places = new FairPlaces(UPLOADS_AT_ONCE, UPLOADS_OF_EACH);

  constructor(private readonly tools: IntakeTools) {}

  /**
   * Whatever comes of it is written down as a deploy. A client that leaves once all of its bytes are here changes
   * nothing any more. @throws {AppMissing} @throws {ArchiveRejected} @throws {DeploysBusy} @throws {DeployInterrupted}
   */
  async upload(member: Member, appId: string, upload: DeployUpload): Promise<Deploy> {
    const leave = this.#places.take(member.organization);
    if (!leave) throw new DeploysBusy();
    try {
      const { id } = await this.tools.deploys.begin(member, appId);
      return this.tools.platform.describeDeploy(await this.#take(member, id, upload));
    } finally {
      leave();
    }
  }

  async #take(member: Member, id: string, upload: DeployUpload): Promise<DeployRecord> {
    const lease = new Lease(this.tools.deploys, id);
    try {
      return await this.#make(member, { id, lease }, upload);
    } catch (thrown) {
      const named = isDiskFull(thrown) ? new DeploysBusy({ cause: thrown }) : thrown;
      const error = await this.#reasonOf(lease.signal.aborted ? lease.signal.reason : named, member, id);
      const { failure, problems } = failureOf(error);
      // Where this cannot be written down, the lease runs out, and that is.
      await this.tools.deploys.fail(id, failure, problems).catch(() => undefined);
      throw error;
    } finally {
      lease.end();
    }
  }

  /** Whoever deletes an app takes along what is on its way to it. */
  async #reasonOf(error: unknown, { organization }: Member, id: string): Promise<unknown> {
    if (!(error instanceof DeployInterrupted)) return error;
    const deploy = await this.tools.deploys.find(organization, id).catch(() => undefined);
    return deploy?.status === 'archived' ? new AppMissing() : error;
  }

  async #make(
    member: Member,
    { id, lease }: { readonly id: string; readonly lease: Lease },
    upload: DeployUpload,
  ): Promise<DeployRecord> {
    const { deploys, unpacker } = this.tools;
    const spool = await UploadSpool.make();
    try {
      const archive = await this.#receive(upload, spool, lease.signal);
      await deploys.beginProcessing(id);
      const { organization } = member;
      const site = await unpacker.unpack({ organization, archive, spool, signal: lease.signal });
      return await deploys.finish(member, id, { ...site, isActivated: upload.isActivated });
    } finally {
      await spool.close();
    }
  }

  /** @throws {ArchiveRejected} before the body is asked for, when it is declared to be too large. */
  async #receive(upload: DeployUpload, spool: UploadSpool, lost: AbortSignal): Promise<ArchiveFile> {
    const { limits } = this.tools;
    demandSentSize(upload.size ?? 0, limits);
    let size = 0;
    const onChunk = (chunk: Buffer) => demandSentSize((size += chunk.length), limits);
    const late = AbortSignal.timeout(RECEIVE_LIMIT_MS);
    try {
      const signal = AbortSignal.any([lost, upload.leaving, late]);
      const { file } = await spool.keep(upload.openBody(), { onChunk, signal });
      return { file, format: upload.format, sentBytes: size };
    } catch (error) {
      throw upload.leaving.aborted || late.aborted || isBrokenConnection(error) ? new UploadBrokenOff() : error;
    }
  }
}

function isBrokenConnection(error: unknown): boolean {
  return hasCode(error, 'ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE');
}

function isDiskFull(error: unknown): boolean {
  return hasCode(error, 'ENOSPC', 'EDQUOT');
}

function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}
