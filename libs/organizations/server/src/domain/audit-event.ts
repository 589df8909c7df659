import type { Actor } from '@homeport/identity/contracts';

/** Who did something, as the token proves it. */
export type AuditedActor = Pick<Actor, 'issuer' | 'subject' | 'grant'>;

/** Who did something, as the audit trail shows it. */
export interface RecordedActor extends Pick<Actor, 'issuer' | 'subject'> {
  /** `person:{sub}`, `token:{id}` or `ci:{trust id}`. */
  readonly name: string;
}

/** An action that the audit trail records. */
export interface AuditEvent {
  readonly organization: string;
  readonly actor: AuditedActor;
  /** `<domain>.<event>`. */
  readonly action: string;
  /** The id of the changed resource. */
  readonly target: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

export interface RecordedEvent extends Omit<AuditEvent, 'actor'> {
  readonly actor: RecordedActor;
  /** A decimal number; later events have higher numbers. */
  readonly id: string;
  readonly at: Date;
}
