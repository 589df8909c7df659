import type { Clock } from './clock';
import type { IdentityProvider } from './identity-provider.port';
import type { StoredSession } from './session-store.port';

/** How long the end of a session waits for the identity service, in milliseconds. */
const REVOCATION_MS = 2_000;
const REVOCATIONS_AT_ONCE = 8;

/** Revokes grants at the identity service. */
export class TokenRevoker {
  constructor(
    private readonly identityProvider: IdentityProvider,
    private readonly clock: Clock,
  ) {}

  /** Revokes the refresh tokens of removed sessions, best-effort and within the time of one. */
  async revokeAll(removed: readonly Pick<StoredSession, 'refreshToken'>[]): Promise<void> {
    const queue = removed.flatMap(({ refreshToken }) => refreshToken ?? []).values();
    const worker = async (): Promise<void> => {
      for (const token of queue) await this.identityProvider.revoke(token).catch(() => undefined);
    };
    const workers = Promise.all(Array.from({ length: REVOCATIONS_AT_ONCE }, worker));
    await Promise.race([workers, this.clock.wait(REVOCATION_MS)]);
  }

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
