import { formerOwnerRetentionDays, type NameQuarantine } from '../domain/former-owner';
import type { FormerOwnerRepository } from './former-owner-repository.port';

/** Removes former owners of names that no rule needs any more. */
export class PurgeFormerOwners {
  constructor(
    private readonly formerOwners: FormerOwnerRepository,
    private readonly quarantine: NameQuarantine,
  ) {}

  /** Can be repeated. */
  async execute(): Promise<void> {
    await this.formerOwners.removeReleasedBefore(formerOwnerRetentionDays(this.quarantine));
  }
}
