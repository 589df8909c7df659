import { DomainError, type FieldProblem } from '@homeport/kernel';

const MAX_REPORTED_BLOBS = 50;

/** The organization has no deploy with this id. The same for a malformed id and a deploy of another organization. */
export class DeployNotFound extends DomainError {
  readonly kind = 'not-found';
  readonly code = 'apps.deploy-not-found';

  constructor() {
    super('Your organization has no deploy with this id.');
  }
}

/** The deploy is not ready, so visitors cannot see it yet. */
export class DeployNotReady extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'apps.deploy-not-ready';

  constructor() {
    super('Only a deploy that is ready can be activated.');
  }
}

/** The deploy cannot take files: it has ended, or is uploaded as an archive. */
export class DeployNotUploading extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'apps.deploy-not-uploading';

  constructor() {
    super('This deploy does not accept files by digest: it has failed, was archived, or is uploaded as an archive.');
  }
}

/** Blobs that the manifest names are not stored yet. `fields` names the first ones. */
export class BlobsMissing extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'apps.blobs-missing';
  override readonly fields: readonly FieldProblem[];

  /** @param digests as manifests write them. */
  constructor(digests: readonly string[]) {
    super(`The deploy lacks ${digests.length} of its files. Upload them, and finish the deploy again.`);
    this.fields = digests
      .slice(0, MAX_REPORTED_BLOBS)
      .map((field) => ({ field, reason: 'The file has not been uploaded.' }));
  }
}

/** The manifest of the deploy does not name the digest. */
export class BlobNotInManifest extends DomainError {
  readonly kind = 'not-found';
  readonly code = 'apps.blob-not-found';

  constructor() {
    super('The manifest of the deploy does not name a file with this digest.');
  }
}

/** Deleting the live deploy would leave visitors without a site. */
export class ActiveDeployNotDeletable extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'apps.deploy-live';

  constructor() {
    super('The live deploy cannot be deleted. Activate another deploy first, or delete the app.');
  }
}

/** The live deploy, or the rollback target, is not the one that the request expected. */
export class ActiveDeployChanged extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'apps.deploy-not-active';

  constructor() {
    super('The live deploy has changed in the meantime. Reload before rolling back.');
  }
}

export class NothingToRollBack extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'apps.nothing-to-roll-back';

  constructor() {
    super('There is no earlier deploy to roll back to.');
  }
}

/** The instance has no capacity for another upload, or cannot write to its disk. */
export class DeploysUnavailable extends DomainError {
  readonly kind = 'unavailable';
  readonly code = 'apps.deploys-unavailable';
  override readonly headers = { 'retry-after': '10' };

  constructor(
    options?: ErrorOptions,
    detail = 'Too many deploys are being uploaded at this moment. Try again in a few seconds.',
  ) {
    super(detail, options);
  }
}

/** Processing ended before the deploy was ready: the lease was lost, the deploy was deleted, or the process stops. */
export class DeployInterrupted extends DomainError {
  readonly kind = 'unavailable';
  readonly code = 'apps.deploy-interrupted';
  override readonly headers = { 'retry-after': '5' };

  constructor(detail = 'The deploy was interrupted. Upload it again.') {
    super(detail);
  }
}

/** Processing an upload reached its total time limit, or made no progress. */
export class DeployTimeout extends DomainError {
  readonly kind = 'timeout';
  readonly code = 'apps.deploy-timeout';

  constructor() {
    super('Processing the archive took too long and was stopped. Upload it again, or deploy fewer or smaller files.');
  }
}

/** The client disconnected or stalled before its last byte. The response usually reaches no client. */
export class UploadAborted extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'platform.invalid-request';

  constructor() {
    super('The upload ended before all of its bytes arrived.');
  }
}
