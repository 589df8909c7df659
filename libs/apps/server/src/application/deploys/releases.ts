import type { App, Deploy, DeployDetails, DeployFile, DeployFileList, DeployList } from '@homeport/apps/contracts';
import type { Member } from '@homeport/identity/server';
import { AppNotFound } from '../../domain/registry/apps.errors';
import type { DeployedFile } from '../../domain/deploys/deploy-record';
import { DeployNotFound } from '../../domain/deploys/deploys.errors';
import { FileCursor } from '../../domain/deploys/file-cursor';
import { ListCursor } from '../../domain/list-cursor';
import type { ExpectedRelease } from '../../domain/deploys/expected-release';
import type { HostnamePolicy } from '../../domain/hostname-policy';
import type { ListRequest } from '../registry/app-registry';
import { type DeployRepository, FILES_PER_PAGE } from './deploy-repository.port';

/** How many deploys are listed where nobody says how many. */
export const DEPLOYS_PER_PAGE = 100;

/** Shows an organization its deploys, and decides which of them visitors see. */
export class Releases {
  constructor(
    private readonly deploys: DeployRepository,
    private readonly platform: HostnamePolicy,
  ) {}

  /** Newest first; of an app that was deleted too. @throws {AppNotFound} @throws {InvalidRequest} for a foreign cursor */
  async list(member: Member, appId: string, { limit = DEPLOYS_PER_PAGE, cursor }: ListRequest): Promise<DeployList> {
    const after = cursor === undefined ? {} : { after: ListCursor.decode(cursor) };
    const page = await this.deploys.list(member.organization, appId, { limit, ...after });
    if (!page) throw new AppNotFound();
    return {
      items: page.deploys.map((deploy): Deploy => this.platform.presentDeploy(deploy)),
      next_cursor: page.end ? ListCursor.encode(page.end) : null,
    };
  }

  /** @throws {DeployNotFound} */
  async get(member: Member, id: string): Promise<DeployDetails> {
    const deploy = await this.deploys.find(member.organization, id);
    if (!deploy) throw new DeployNotFound();
    const { files, end, problems } = await this.deploys.contentsOf(deploy.id);
    const former = await this.deploys.rollbackTargetOf(deploy.id);
    return {
      ...this.platform.presentDeploy(deploy),
      rolls_back_to: former ? this.platform.presentDeploy(former) : null,
      files: files.map(describeFile),
      files_next_cursor: end === undefined ? null : FileCursor.encode(end),
      problems,
    };
  }

  /** @throws {DeployNotFound} @throws {InvalidRequest} for a cursor that this list did not issue. */
  async listFiles(
    member: Member,
    id: string,
    { limit = FILES_PER_PAGE, cursor }: ListRequest,
  ): Promise<DeployFileList> {
    const after = cursor === undefined ? {} : { after: FileCursor.decode(cursor) };
    const deploy = await this.deploys.find(member.organization, id);
    if (!deploy) throw new DeployNotFound();
    const { files, end } = await this.deploys.listFiles(deploy.id, { limit, ...after });
    return { items: files.map(describeFile), next_cursor: end === undefined ? null : FileCursor.encode(end) };
  }

  /** Succeeds for a deploy that is absent or another organization's. @throws {DeployLive} */
  async delete(member: Member, id: string): Promise<void> {
    await this.deploys.delete(member, id);
  }

  /** @throws {DeployNotFound} @throws {DeployNotReady} */
  async activate(member: Member, id: string): Promise<App> {
    return this.platform.presentApp(await this.deploys.activate(member, id));
  }

  /** @throws {AppNotFound} @throws {DeployNotActive} @throws {NothingToRollBack} */
  async rollBack(member: Member, appId: string, seen: ExpectedRelease): Promise<App> {
    return this.platform.presentApp(await this.deploys.rollBack(member, appId, seen));
  }
}

function describeFile({ path, size, contentType, digest }: DeployedFile): DeployFile {
  return { path, size, content_type: contentType, digest: `sha-256:${digest}` };
}
