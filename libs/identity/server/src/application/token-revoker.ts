import type { Clock } from './clock';
import type { IdentityProvider } from './identity-provider.port';
import type { StoredSession } from './session-store.port';

/** How long the end of a session waits for the identity service, in milliseconds. */
const REVOCATION_MS = 2_000;

/** Revokes grants at the identity service. */
export class TokenRevoker {
  constructor(
    private readonly identityProvider: IdentityProvider,
    private readonly clock: Clock,
  ) {}

  /**
   * Revokes the refresh token of a removed session, best-effort. The session has already ended for the person, so the
   * wait is short; a token that could not be revoked expires.
   */
  async revoke(removed: Pick<StoredSession, 'refreshToken'> | undefined): Promise<void> {
    if (!removed?.refreshToken) return;
    const revoked = this.identityProvider.revoke(removed.refreshToken).catch(() => undefined);
    await Promise.race([revoked, this.clock.wait(REVOCATION_MS)]);
  }
}
