import { DomainError } from '@homeport/kernel';

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

/** The client disconnected or stalled before the archive was complete. The response usually reaches no client. */
export class UploadAborted extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'platform.invalid-request';

  constructor() {
    super('The upload ended before the whole archive arrived.');
  }
}
