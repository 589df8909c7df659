import { createHash, randomUUID } from 'node:crypto';
import type { Member } from '@homeport/identity/server';
import type { AppRepository } from '../application/registry/app-repository.port';
import type { BlobLedger, BlobDescriptor } from '../application/blobs/blob-ledger.port';
import type { DeployRepository, ReadyDeploy } from '../application/deploys/deploy-repository.port';
import type { DeployRecord } from '../domain/deploys/deploy-record';
import { NO_RULES } from '../domain/sites/site-rules';
import type { AppFixture } from './app-fixture';

/** A deploy repository and its related adapters, all over the same store. */
export interface DeployRepositoryHarness {
  readonly apps: AppRepository;
  /** Registers and deletes apps. */
  readonly registry: AppFixture;
  readonly deploys: DeployRepository;
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
  return { files: [deployedFile('index.html')], rules: NO_RULES, problems: [], shouldActivate: true, ...changes };
}

/** Takes a deploy through all states. */
export async function deployTo(
  deploys: DeployRepository,
  member: Member,
  appId: string,
  changes: Partial<ReadyDeploy> = {},
): Promise<DeployRecord> {
  const { id } = await deploys.begin(member, appId);
  await deploys.beginProcessing(id);
  return deploys.finish(member, id, readyDeploy(changes));
}
