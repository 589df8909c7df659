import { formerOwnerRetentionDays, type NameQuarantine } from '../../domain/registry/former-owner';
import type { NameRepository } from './name-repository.port';

/** Removes former owners of names that no rule needs any more. */
export class PurgeFormerOwners {
  constructor(
    private readonly names: NameRepository,
    private readonly quarantine: NameQuarantine,
  ) {}

  /** Can be repeated. */
  async execute(): Promise<void> {
    await this.names.removeReleasedBefore(formerOwnerRetentionDays(this.quarantine));
  }
}
