import { DomainError } from '@homeport/platform/server';

/** Absent, malformed, or another organization's: the answer is the same. */
export class DeployMissing extends DomainError {
  readonly kind = 'not-found';
  readonly code = 'apps.deploy-not-found';

  constructor() {
    super('Your organization has no deploy with this id.');
  }
}

/** Only what is ready can be shown to visitors. */
export class DeployNotReady extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'apps.deploy-not-ready';

  constructor() {
    super('Only a deploy that is ready can be activated.');
  }
}

/** Visitors would be left without a site: another deploy has to be activated first. */
export class DeployLive extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'apps.deploy-live';

  constructor() {
    super('The live deploy cannot be deleted. Activate another deploy first, or delete the app.');
  }
}

/** Whoever asked for the roll-back saw something else than what visitors see by now. */
export class DeployNotActive extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'apps.deploy-not-active';

  constructor() {
    super('What is live has changed by now. Look again before rolling back.');
  }
}

export class NothingToRollBack extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'apps.nothing-to-roll-back';

  constructor() {
    super('There is no earlier deploy to roll back to.');
  }
}

/** The instance has as many uploads under way as it takes on. */
export class DeploysBusy extends DomainError {
  readonly kind = 'unavailable';
  readonly code = 'apps.deploys-unavailable';
  override readonly headers = { 'retry-after': '10' };

  constructor(options?: ErrorOptions) {
    super('Too many deploys are being uploaded at this moment. Try again in a few seconds.', options);
  }
}

/** Somebody took this deploy for lost while it was being worked on. */
export class DeployInterrupted extends DomainError {
  readonly kind = 'unavailable';
  readonly code = 'apps.deploy-interrupted';
  override readonly headers = { 'retry-after': '5' };

  constructor() {
    super('The deploy took too long and was given up. Upload it again.');
  }
}

/** The client left, or went silent, before all of the archive was here. Mostly nobody hears of it. */
export class UploadBrokenOff extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'platform.invalid-request';

  constructor() {
    super('The upload broke off before all of the archive had arrived.');
  }
}
