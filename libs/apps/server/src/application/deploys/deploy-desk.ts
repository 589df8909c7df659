import type { App, Deploy, DeployDetails, DeployFile, DeployFileList, DeployList } from '@homeport/apps/contracts';
import type { Member } from '@homeport/identity/server';
import { AppMissing } from '../../domain/registry/apps.errors';
import type { DeployedFile } from '../../domain/deploys/deploy-record';
import { DeployMissing } from '../../domain/deploys/deploys.errors';
import { FileCursor } from '../../domain/deploys/file-cursor';
import { ListPositions } from '../../domain/list-positions';
import type { SeenBefore } from '../../domain/deploys/roll-back';
import type { PlatformDomain } from '../../domain/platform-domain';
import type { ListRequest } from '../registry/app-registry';
import { type DeployRepository, FILES_PER_PAGE } from './deploy-repository.port';

/** How many deploys are listed where nobody says how many. */
export const DEPLOYS_LISTED = 100;

/** Shows an organization its deploys, and decides which of them visitors see. */
export class DeployDesk {
  constructor(
    private readonly deploys: DeployRepository,
    private readonly platform: PlatformDomain,
  ) {}

  /** Newest first; of an app that was deleted too. @throws {AppMissing} @throws {InvalidRequest} for a foreign cursor */
  async list(member: Member, appId: string, { limit = DEPLOYS_LISTED, cursor }: ListRequest): Promise<DeployList> {
    const after = cursor === undefined ? {} : { after: ListPositions.read(cursor) };
    const page = await this.deploys.list(member.organization, appId, { limit, ...after });
    if (!page) throw new AppMissing();
    return {
      items: page.deploys.map((deploy): Deploy => this.platform.describeDeploy(deploy)),
      next_cursor: page.end ? ListPositions.write(page.end) : null,
    };
  }

  /** @throws {DeployMissing} */
  async get(member: Member, id: string): Promise<DeployDetails> {
    const deploy = await this.deploys.find(member.organization, id);
    if (!deploy) throw new DeployMissing();
    const { files, end, problems } = await this.deploys.contentsOf(deploy.id);
    const former = await this.deploys.formerOf(deploy.id);
    return {
      ...this.platform.describeDeploy(deploy),
      rolls_back_to: former ? this.platform.describeDeploy(former) : null,
      files: files.map(describeFile),
      files_next_cursor: end === undefined ? null : FileCursor.write(end),
      problems,
    };
  }

  /** @throws {DeployMissing} @throws {InvalidRequest} for a cursor that this list did not issue. */
  async listFiles(
    member: Member,
    id: string,
    { limit = FILES_PER_PAGE, cursor }: ListRequest,
  ): Promise<DeployFileList> {
    const after = cursor === undefined ? {} : { after: FileCursor.read(cursor) };
    const deploy = await this.deploys.find(member.organization, id);
    if (!deploy) throw new DeployMissing();
    const { files, end } = await this.deploys.listFiles(deploy.id, { limit, ...after });
    return { items: files.map(describeFile), next_cursor: end === undefined ? null : FileCursor.write(end) };
  }

  /** Succeeds for a deploy that is absent or another organization's. @throws {DeployLive} */
  async delete(member: Member, id: string): Promise<void> {
    await this.deploys.delete(member, id);
  }

  /** @throws {DeployMissing} @throws {DeployNotReady} */
  async activate(member: Member, id: string): Promise<App> {
    return this.platform.describe(await this.deploys.activate(member, id));
  }

  /** @throws {AppMissing} @throws {DeployNotActive} @throws {NothingToRollBack} */
  async rollBack(member: Member, appId: string, seen: SeenBefore): Promise<App> {
    return this.platform.describe(await this.deploys.rollBack(member, appId, seen));
  }
}

function describeFile({ path, size, contentType, digest }: DeployedFile): DeployFile {
  return { path, size, content_type: contentType, digest: `sha-256:${digest}` };
}
