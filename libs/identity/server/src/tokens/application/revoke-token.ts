import type { Actor } from '@homeport/identity/contracts';
import type { IdentityUnitOfWork } from './identity-unit-of-work.port';
import type { TokenOwner } from '../domain/token-record';

/** Revokes a token. All instances reject it within one second. */
export class RevokeToken {
  constructor(private readonly unitOfWork: IdentityUnitOfWork) {}

  /** Does nothing when the owner has no token with this id. */
  async execute(actor: Actor, owner: TokenOwner, id: string): Promise<void> {
    await this.unitOfWork.run(async ({ tokens, audit }) => {
      const token = await tokens.remove(owner, id);
      if (token?.organization === undefined) return;
      const { organization, id: target, kind, name } = token;
      await audit.record({ organization, actor, action: 'identity.token-revoked', target, detail: { kind, name } });
    });
  }
}
