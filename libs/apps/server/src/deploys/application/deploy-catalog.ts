import type { Deploy, DeployDetails, DeployFileList, DeployList } from '@homeport/apps/contracts';
import type { Member } from '@homeport/identity/contracts';
import { EncodedJson } from '@homeport/kernel';
import { AppNotFound } from '../../registry/domain/apps.errors';
import { DeployNotFound } from '../domain/deploys.errors';
import { FileCursor } from '../domain/file-cursor';
import { ListCursor } from '../../shared/domain/list-cursor';
import type { AppPresenter } from '../../shared/application/app-presenter';
import type { ListRequest } from '../../shared/application/list-request';
import { type DeployRepository, FILES_PER_PAGE } from './deploy-repository.port';

/** Default page size of the list of deploys. */
export const DEPLOYS_PER_PAGE = 100;

/** Lists an organization's deploys and their files. */
export class DeployCatalog {
  constructor(
    private readonly deploys: DeployRepository,
    private readonly presenter: AppPresenter,
  ) {}

  /** Newest first, also of a deleted app. @throws {AppNotFound} @throws {InvalidRequest} for a foreign cursor. */
  async list(member: Member, appId: string, { limit = DEPLOYS_PER_PAGE, cursor }: ListRequest): Promise<DeployList> {
    const after = cursor === undefined ? {} : { after: ListCursor.decode(cursor) };
    const page = await this.deploys.list(member.organization, appId, { limit, ...after });
    if (!page) throw new AppNotFound();
    return {
      items: page.deploys.map((deploy): Deploy => this.presenter.presentDeploy(deploy)),
      next_cursor: page.end ? ListCursor.encode(page.end) : null,
    };
  }

  /** @throws {DeployNotFound} */
  async get(member: Member, id: string): Promise<EncodedJson<DeployDetails>> {
    const deploy = await this.deploys.find(member.organization, id);
    if (!deploy) throw new DeployNotFound();
    const { filesJson, end, problems } = await this.deploys.contentsOf(deploy.id);
    const target = await this.deploys.rollbackTargetOf(deploy.id);
    const rest: Omit<DeployDetails, 'files'> = {
      ...this.presenter.presentDeploy(deploy),
      rolls_back_to: target ? this.presenter.presentDeploy(target) : null,
      files_next_cursor: end === undefined ? null : FileCursor.encode(end),
      problems,
    };
    return EncodedJson.of(rest, 'files', filesJson);
  }

  /** @throws {DeployNotFound} @throws {InvalidRequest} for a cursor that this list did not issue. */
  async listFiles(
    member: Member,
    id: string,
    { limit = FILES_PER_PAGE, cursor }: ListRequest,
  ): Promise<EncodedJson<DeployFileList>> {
    const after = cursor === undefined ? {} : { after: FileCursor.decode(cursor) };
    const deploy = await this.deploys.find(member.organization, id);
    if (!deploy) throw new DeployNotFound();
    const { filesJson, end } = await this.deploys.listFiles(deploy.id, { limit, ...after });
    const rest: Omit<DeployFileList, 'items'> = { next_cursor: end === undefined ? null : FileCursor.encode(end) };
    return EncodedJson.of(rest, 'items', filesJson);
  }
}
