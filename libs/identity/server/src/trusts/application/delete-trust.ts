import type { Member } from '@homeport/identity/contracts';
import type { IdentityUnitOfWork } from '../../tokens/application/identity-unit-of-work.port';

/** Deletes a trust. Access tokens that pipelines received through it are rejected within one second. */
export class DeleteTrust {
  constructor(private readonly unitOfWork: IdentityUnitOfWork) {}

  /** Does nothing when the app of the organization has no trust with this id. */
  async execute(member: Member, app: string, id: string): Promise<void> {
    const { organization } = member;
    await this.unitOfWork.run(async ({ trusts, tokens, audit }) => {
      const trust = await trusts.remove(organization, app, id);
      if (!trust) return;
      await tokens.removeByTrust(trust.id);
      const { id: target, appId, issuer } = trust;
      const detail = { app: appId, issuer };
      await audit.record({ organization, actor: member, action: 'identity.trust-deleted', target, detail });
    });
  }
}
