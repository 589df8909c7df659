import { createHash, randomUUID } from 'node:crypto';
import type { App, DeployFile } from '@homeport/apps/contracts';
import type { Member } from '@homeport/identity/contracts';
import type { AppsUnitOfWork } from '../shared/application/apps-unit-of-work.port';
import type { BlobDescriptor, BlobLedger } from '../blobs/application/blob-ledger.port';
import { ActivateDeploy } from '../deploys/application/activate-deploy';
import { DeleteDeploy } from '../deploys/application/delete-deploy';
import type { DeployRepository, ReadyDeploy } from '../deploys/application/deploy-repository.port';
import { FinishDeploy } from '../deploys/application/finish-deploy';
import { ReleaseAlias } from '../deploys/application/release-alias';
import { RollBack } from '../deploys/application/roll-back';
import { AppPresenter } from '../shared/application/app-presenter';
import type { AppRepository } from '../registry/application/app-repository.port';
import type { DeployFilePage, DeployRecord } from '../deploys/domain/deploy-record';
import type { ExpectedRelease } from '../deploys/domain/expected-release';
import { HostnamePolicy } from '../shared/domain/hostname-policy';
import { NO_RULES } from '@homeport/hosting/contracts';
import type { AppFixture } from './app-fixture';

/** A deploy repository and its related adapters, all over the same store. */
export interface DeployRepositoryHarness {
  readonly apps: AppRepository;
  /** Registers and deletes apps. */
  readonly registry: AppFixture;
  readonly deploys: DeployRepository;
  /** Finishes, activates, rolls back and deletes deploys. */
  readonly releases: DeployFixture;
  readonly ledger: BlobLedger;
  /** Expires the lease of a deploy. */
  expireLease(id: string): Promise<void>;
  /** Moves the last use of blobs the given number of hours into the past. */
  ageBlobs(ids: readonly string[], hours: number): Promise<void>;
}

export function digestOf(text: string | Buffer): string {
  return createHash('sha256').update(text).digest('hex');
}

/** A descriptor of new bytes. */
export function newBlobDescriptor(): BlobDescriptor {
  return { digest: digestOf(randomUUID()), size: 36 };
}

export function deployedFile(path: string, blobId?: string): ReadyDeploy['files'][number] {
  return { path, size: path.length, contentType: 'text/html; charset=utf-8', digest: digestOf(path), blobId };
}

export function readyDeploy(changes: Partial<ReadyDeploy> = {}): ReadyDeploy {
  return { files: [deployedFile('index.html')], rules: NO_RULES, problems: [], activation: 'when-safe', ...changes };
}

/** Changes deploys through the use cases. */
export class DeployFixture {
  readonly presenter = new AppPresenter(
    new HostnamePolicy({ domain: 'apps.test', cdnHostname: 'edge.test', edgePort: 1, reserved: [] }),
  );

  constructor(private readonly unitOfWork: AppsUnitOfWork) {}

  /** @throws {DeployInterrupted} */
  async finish(member: Member, id: string, ready: ReadyDeploy): Promise<DeployRecord> {
    return (await new FinishDeploy(this.unitOfWork).execute(member, id, ready)).deploy;
  }

  /** @throws {DeployNotFound} @throws {DeployNotReady} */
  activate(member: Member, id: string): Promise<App> {
    return new ActivateDeploy(this.unitOfWork, this.presenter).execute(member, id);
  }

  /** @throws {AppNotFound} @throws {ActiveDeployChanged} @throws {NothingToRollBack} */
  rollBack(member: Member, appId: string, expected?: ExpectedRelease): Promise<App> {
    return new RollBack(this.unitOfWork, this.presenter).execute(member, appId, expected);
  }

  /** @throws {AppNotFound} */
  releaseAlias(member: Member, appId: string, branch: string): Promise<void> {
    return new ReleaseAlias(this.unitOfWork).execute(member, appId, branch);
  }

  /** @throws {ActiveDeployNotDeletable} */
  delete(member: Member, id: string): Promise<void> {
    return new DeleteDeploy(this.unitOfWork).execute(member, id);
  }
}

/** Takes a deploy through all states. */
export async function deployTo(
  { deploys, releases }: Pick<DeployRepositoryHarness, 'deploys' | 'releases'>,
  member: Member,
  appId: string,
  changes: Partial<ReadyDeploy> = {},
): Promise<DeployRecord> {
  const { id } = await deploys.begin(member, appId);
  await deploys.beginProcessing(id);
  return releases.finish(member, id, readyDeploy(changes));
}

/** Parses the files of a page. */
export function filesOf({ filesJson }: DeployFilePage): readonly DeployFile[] {
  return JSON.parse(filesJson) as DeployFile[];
}
