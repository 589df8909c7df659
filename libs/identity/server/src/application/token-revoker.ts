import type { Clock } from './clock';
import type { IdentityProvider } from './identity-provider.port';
import type { StoredSession } from './session-store.port';

/** How long the end of a session waits for the identity service. */
const REVOCATION_MS = 2_000;

/** Ends grants at the identity service. */
export class TokenRevoker {
  constructor(
    private readonly identityProvider: IdentityProvider,
    private readonly clock: Clock,
  ) {}

  /**
   * The session is gone for the person either way, so nobody waits for long; a refresh token that could not be revoked
   * expires by itself.
   */
  async revoke(removed: Pick<StoredSession, 'refreshToken'> | undefined): Promise<void> {
    if (!removed?.refreshToken) return;
    const revoked = this.identityProvider.revoke(removed.refreshToken).catch(() => undefined);
    await Promise.race([revoked, this.clock.wait(REVOCATION_MS)]);
  }
}
