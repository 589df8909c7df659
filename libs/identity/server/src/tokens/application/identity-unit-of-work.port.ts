import type { Actor } from '@homeport/identity/contracts';
import type { TokenRepository } from './token-repository.port';
import type { TrustRepository } from '../../trusts/application/trust-repository.port';

/** An action on a token or a trust. */
export interface IdentityEvent {
  readonly organization: string;
  readonly actor: Pick<Actor, 'issuer' | 'subject' | 'grant'>;
  readonly action:
    | 'identity.token-created'
    | 'identity.token-revoked'
    | 'identity.trust-created'
    | 'identity.trust-deleted'
    | 'identity.token-exchanged';
  /** The id of the token or the trust. */
  readonly target: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** Records who changed tokens and trusts; the audit trail of organizations is one. Rejects with DatabaseUnavailable. */
export abstract class AuditRecorder {
  /** Records an event that can no longer be changed. */
  abstract record(event: IdentityEvent): Promise<void>;
}

/** The repositories of one unit of work. */
export interface IdentityRepositories {
  readonly tokens: TokenRepository;
  readonly trusts: TrustRepository;
  readonly audit: AuditRecorder;
}

/** Stores the changes of a use case together. */
export abstract class IdentityUnitOfWork {
  /** Stores all changes of the work, or none when it throws. @throws {DatabaseUnavailable} @throws the work's error. */
  abstract run<T>(work: (repositories: IdentityRepositories) => Promise<T>): Promise<T>;
}
